// Which state of the sources this is.
#pragma once

namespace asperity::cli {

/// Short name of the commit; empty if the sources come from no repository.
extern const char* const commit;

}  // namespace asperity::cli
