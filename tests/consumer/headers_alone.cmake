# Compiles each of HEADERS by itself with COMPILER.
foreach(header ${HEADERS})
  execute_process(COMMAND ${COMPILER} -std=c++20 -fno-exceptions -fno-rtti -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    -Wno-sign-conversion -Werror -fsyntax-only -I${INCLUDE} -include ${header} -x c++ /dev/null RESULT_VARIABLE result ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${header} does not compile alone:\n${errors}")
  endif()
endforeach()
