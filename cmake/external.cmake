# Libraries that the rooms below app/ use and that come without a configuration file for CMake, or with one that does
# harm. Found when Slipwave is built, and again by a program that uses it.

# slipwave_external(gmsh HEADER gmsh.h NAMES gmsh) finds a library as the target external::gmsh.
function(slipwave_external name)
  cmake_parse_arguments(PARSE_ARGV 1 external "" "HEADER" "NAMES;FOLDERS")
  if(TARGET external::${name})
    return()
  endif()
  find_library(SLIPWAVE_${name}_LIBRARY NAMES ${external_NAMES} REQUIRED)
  find_path(SLIPWAVE_${name}_INCLUDE ${external_HEADER} PATH_SUFFIXES ${external_FOLDERS} REQUIRED)
  mark_as_advanced(SLIPWAVE_${name}_LIBRARY SLIPWAVE_${name}_INCLUDE)
  add_library(external::${name} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(external::${name} PROPERTIES IMPORTED_LOCATION ${SLIPWAVE_${name}_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${SLIPWAVE_${name}_INCLUDE})
endfunction()

slipwave_external(gmsh HEADER gmsh.h NAMES gmsh)
slipwave_external(seccomp HEADER seccomp.h NAMES seccomp)
slipwave_external(cholmod HEADER cholmod.h NAMES cholmod FOLDERS suitesparse)
slipwave_external(qhull HEADER libqhull_r/libqhull_r.h NAMES qhull_r)
# The configuration file of fclib unsets CMAKE_CXX_STANDARD.
slipwave_external(fclib HEADER fclib.h NAMES fclib)
# The HDF5 that libfclib uses, not that of MPI.
slipwave_external(hdf5 HEADER hdf5.h NAMES hdf5_serial hdf5 FOLDERS hdf5/serial)
