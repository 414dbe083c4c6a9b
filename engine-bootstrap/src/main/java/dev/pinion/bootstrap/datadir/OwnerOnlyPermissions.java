package dev.pinion.bootstrap.datadir;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Permissions of the data folder: files 0600, folders 0700. It contains inputs, results and
 * contracts, and anybody with write access can make the engine run anything.
 *
 * <p>Child processes get a umask of 077, which covers what the JVM, SQLite and solvers create; the
 * parent sets the permissions of the few files that it creates. Existing files are corrected at the
 * start. File systems without POSIX permissions stay as they are.
 */
public final class OwnerOnlyPermissions {
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final List<String> UMASK = List.of("sh", "-c", "umask 077; exec \"$@\"", "sh");

  private OwnerOnlyPermissions() {}

  /** Words before a command that keep its files private; the command replaces them. */
  public static List<String> prefix(List<String> prefix) {
    List<String> words = new ArrayList<>(prefix);
    words.addAll(UMASK);
    return words;
  }

  /** Creates a folder, and missing ones above it, for their owner alone. */
  public static Path createDirectories(Path folder) throws IOException {
    return Files.createDirectories(folder, attributes(folder, FOLDER));
  }

  /** Attributes of a new file for its owner alone. */
  public static FileAttribute<?>[] ofFile(Path file) {
    return attributes(file, FILE);
  }

  /** Attributes of a new folder for its owner alone. */
  public static FileAttribute<?>[] ofFolder(Path folder) {
    return attributes(folder, FOLDER);
  }

  private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
    return isPosix(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /**
   * Removes permissions of others wherever they have some. Links below the folder are not followed.
   *
   * @param folder a folder of the engine, or a link to one
   * @return one sentence about the changes, or null if there were none
   * @throws IOException when the folder cannot be read
   */
  public static @Nullable String repair(Path folder) throws IOException {
    if (!isPosix(folder)) {
      return null;
    }
    PermissionRepair permissionRepair = new PermissionRepair();
    Files.walkFileTree(
        folder.toRealPath(), permissionRepair); // a walk does not follow a link at its root
    return permissionRepair.sentence(folder);
  }

  private static final class PermissionRepair extends SimpleFileVisitor<Path> {
    private int files;
    private int folders;
    private int failed;
    private @Nullable Path first;

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
      folders += mend(path, FOLDER) ? 1 : 0;
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
      files += attributes.isRegularFile() && mend(path, FILE) ? 1 : 0;
      return FileVisitResult.CONTINUE;
    }

    /** Files that disappear meanwhile, or cannot be read, are skipped. */
    @Override
    public FileVisitResult visitFileFailed(Path path, IOException e) {
      return FileVisitResult.CONTINUE;
    }

    private boolean mend(Path path, Set<PosixFilePermission> allowed) {
      try {
        Set<PosixFilePermission> found =
            Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
        Set<PosixFilePermission> own = EnumSet.copyOf(allowed);
        own.retainAll(found);
        if (own.equals(found)) {
          return false;
        }
        Files.setPosixFilePermissions(path, own);
      } catch (NoSuchFileException e) {
        return false; // it disappeared meanwhile
      } catch (IOException e) {
        failed++;
        return false;
      }
      first = first == null ? path : first;
      return true;
    }

    @Nullable String sentence(Path folder) {
      if (files + folders + failed == 0) {
        return null;
      }
      return "permissions below "
          + folder
          + " are for its owner alone now (0600, 0700): changed those of "
          + files
          + " files and "
          + folders
          + " folders"
          + (first == null ? "" : ", first " + first)
          + (failed == 0 ? "" : "; " + failed + " belong to another user and stay as they are");
    }
  }
}
