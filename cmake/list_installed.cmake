# The last step of `cmake --install`: writes which files it installed into PREFIX/share/slipwave/installed_files.txt.
set(list ${CMAKE_INSTALL_PREFIX}/${list})
string(REPLACE ";" "\n" files "${CMAKE_INSTALL_MANIFEST_FILES};${list}")
file(WRITE "$ENV{DESTDIR}${list}" "${files}\n")
list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${list}")
