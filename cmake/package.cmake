# `make package`: one Debian package with the program, libraries, headers, completions and man pages.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME asperity)
# Who makes a package is its maintainer, as Debian's tools know them by DEBFULLNAME and DEBEMAIL. The project has no address of its own,
# and none is made up.
set(maintainer "The Asperity authors")
if(DEFINED ENV{DEBEMAIL})
  if(DEFINED ENV{DEBFULLNAME})
    set(maintainer "$ENV{DEBFULLNAME}")
  endif()
  string(APPEND maintainer " <$ENV{DEBEMAIL}>")
endif()
set(ASPERITY_MAINTAINER "${maintainer}" CACHE STRING "Of the Debian package: name <address>")
set(CPACK_PACKAGE_CONTACT "${ASPERITY_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What the static libraries are linked with, for those who write programs.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libfmt-dev, libtbb-dev, libsundials-dev, libhdf5-dev")
include(CPack)
