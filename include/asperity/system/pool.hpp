// Pools: all bodies of one kind, all elements of one kind. One call a pool, whatever its size.
#pragma once

#include "asperity/system/body_pool.hpp"
#include "asperity/system/joined_pool.hpp"
