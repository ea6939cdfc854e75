// For the files that instantiate a row of the list of laws (cmake/rows.cmake).
#pragma once

#define ASPERITY_JOIN_NAMES(a, b, c) a##b##c
#define ASPERITY_JOIN(a, b, c) ASPERITY_JOIN_NAMES(a, b, c)
