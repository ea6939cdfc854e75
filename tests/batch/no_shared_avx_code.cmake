# cmake -DNM=nm -DTAG=Avx2 "-DOBJECTS=a.o|b.o" -P no_shared_avx_code.cmake
# A weak function that does not carry the tag of its instruction set may be chosen by the linker for the whole program, and then
# runs AVX on machines that have none.
string(REPLACE "|" ";" OBJECTS "${OBJECTS}")
execute_process(COMMAND ${NM} --defined-only ${OBJECTS} OUTPUT_VARIABLE symbols RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${NM} failed on ${OBJECTS}")
endif()
if(NOT symbols MATCHES " [tWT] ")
  message(FATAL_ERROR "no functions in ${OBJECTS}")
endif()
string(REGEX MATCHALL "[^\n]+ [WT] [^\n]+" functions "${symbols}")  # those with a small letter are their own
foreach(function IN LISTS functions)
  if(NOT function MATCHES "${TAG}")
    message(SEND_ERROR "shared with the baseline: ${function}")
  endif()
endforeach()
