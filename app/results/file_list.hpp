#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace slipwave::app {

/// The files that Slipwave wrote into a folder are known by a list that it keeps there, and not by
/// their names: slipwave-files.txt, a line for each, relative to the folder. A file is listed
/// before it is made, so that those of a run that was killed are known. A line stands for NAME.part
/// too, under which the file is written first. Folders that were made end with a slash.
inline constexpr const char* file_list_name = "slipwave-files.txt";

/// Lists a file that is about to be made for the first time: NAME or FOLDER/NAME. Throws
/// OutputError where something of that name is there and not in the list: it is somebody else's.
void list_file(const std::filesystem::path& folder, const std::string& name);

/// Makes a folder in the folder, and lists it if it was not there. Throws OutputError where it
/// cannot be made, or where a link or a file has its name.
void list_folder(const std::filesystem::path& folder, const std::string& name);

/// Writes a byte under the list's other name and takes it away. Throws OutputError where it cannot.
void try_file_list(const std::filesystem::path& folder);

/// Makes a list of files that are there, for a folder that has none.
void adopt_files(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Whether a folder has a list.
bool has_file_list(const std::filesystem::path& folder);

/// What is in the list; nothing where there is none. Names that lead out of the folder are left
/// out. Throws UserError where the file of the list's name is something else.
std::set<std::string> listed_files(const std::filesystem::path& folder);

/// Removes the plain files that are in the list, with what is left of NAME.part, where `which` says
/// so, and then the listed folders that are empty. Follows no links. Throws OutputError.
void remove_listed(const std::filesystem::path& folder,
                   const std::function<bool(const std::string& name)>& which);

/// Removes what a run that was killed has left under the name NAME.part, of the list too. Throws
/// OutputError.
void remove_listed_parts(const std::filesystem::path& folder);

/// Removes the list itself. Throws OutputError.
void remove_file_list(const std::filesystem::path& folder);

}  // namespace slipwave::app
