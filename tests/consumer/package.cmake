# Makes the Debian package of BUILD, unpacks it in an empty root and uses what is there: the program, its man page and completions, and a
# program that pkg-config finds it for.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/unpacked)
execute_process(COMMAND ${CPACK} -G DEB --config ${BUILD}/CPackConfig.cmake -B ${WORK}/cpack WORKING_DIRECTORY ${WORK} OUTPUT_QUIET
                COMMAND_ERROR_IS_FATAL ANY)
file(GLOB package ${WORK}/cpack/*.deb)
execute_process(COMMAND dpkg-deb -x ${package} ${WORK}/unpacked COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND dpkg-deb -f ${package} Depends OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
if(NOT depends MATCHES libc6)
  message(SEND_ERROR "the package does not say what it needs: Depends: ${depends}")
endif()
set(installed ${WORK}/unpacked/usr)
foreach(file bin/asperity share/man/man1/asperity-run.1 share/bash-completion/completions/asperity share/zsh/vendor-completions/_asperity
        share/fish/vendor_completions.d/asperity.fish include/asperity/run/run.hpp)
  if(NOT EXISTS ${installed}/${file})
    message(SEND_ERROR "not in the package: ${file}")
  endif()
endforeach()
execute_process(COMMAND ${installed}/bin/asperity run ${SOURCE}/scenes/held_by_friction.toml -o ${WORK}/run --quiet COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS ${WORK}/run/report.html)
  message(SEND_ERROR "the program of the package wrote no report")
endif()

file(GLOB_RECURSE pc ${installed}/*asperity-sim.pc)
get_filename_component(pc_folder ${pc} DIRECTORY)
execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc_folder} pkg-config --cflags --libs asperity-job asperity-identify asperity-design
                OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
foreach(name sim job identify)
  execute_process(COMMAND ${COMPILER} ${SOURCE}/tests/consumer/components/${name}.cpp -o ${WORK}/${name} ${flags} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${WORK}/${name} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
