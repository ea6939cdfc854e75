#define ASPERITY_COMMON_POOL template class
#include "common_pools.hpp"  // the definitions
