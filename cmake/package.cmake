# `make package`: one Debian package with the program, libraries, headers, completions and man pages.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME asperity)
set(CPACK_PACKAGE_CONTACT "The Asperity authors <asperity@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What the static libraries are linked with, for those who write programs.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libfmt-dev, libtbb-dev, libsundials-dev, libhdf5-dev")
include(CPack)
