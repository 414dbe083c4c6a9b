package dev.pinion.bootstrap.cli.profile;

import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.profile.PackageBarChart;
import dev.pinion.bootstrap.profile.PackageGrouping;
import dev.pinion.bootstrap.profile.Profile;
import dev.pinion.bootstrap.profile.ProfilePage;
import dev.pinion.bootstrap.profile.ProfileSummary;
import dev.pinion.bootstrap.profile.StackProjection;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Presentation of profiles: options of every command that shows some. */
final class ProfileViewOptions {
  @Option(
      names = "--out",
      paramLabel = "FILE.html",
      description = "Writes a page to look at with a browser; it needs no network.")
  private @Nullable Path page;

  @Option(
      names = "--svg",
      paramLabel = "FILE.svg",
      description = "Draws CPU time by package, as a picture without script.")
  private @Nullable Path picture;

  @Option(
      names = "--package-level",
      paramLabel = "N",
      defaultValue = "" + PackageGrouping.DEFAULT_LEVEL,
      description =
          "Parts of names of packages that are kept, "
              + PackageGrouping.MIN_LEVEL
              + " to "
              + PackageGrouping.MAX_LEVEL
              + ". Default: "
              + PackageGrouping.DEFAULT_LEVEL
              + "; the page lets you change it.")
  private int level = PackageGrouping.DEFAULT_LEVEL;

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "" + StackProjection.DEFAULT_DEPTH,
      description =
          "Positions on collapsed stacks that the page charts, 1 to "
              + StackProjection.MAX_DEPTH
              + ". Default: "
              + StackProjection.DEFAULT_DEPTH
              + ".")
  private int depth = StackProjection.DEFAULT_DEPTH;

  ProfileViewOptions() {}

  /**
   * Refuses options out of their bounds, before anything takes time.
   *
   * @throws CommandException with one sentence
   */
  void check() throws CommandException {
    between("--package-level", level, PackageGrouping.MIN_LEVEL, PackageGrouping.MAX_LEVEL);
    between("--depth", depth, 1, StackProjection.MAX_DEPTH);
    writable("--out", page);
    writable("--svg", picture);
    different("--out", page, "--svg", picture);
  }

  /** Refuses a file that is also the target of the page or the picture. */
  void refuse(String option, Path file) throws CommandException {
    different("--out", page, option, file);
    different("--svg", picture, option, file);
  }

  private static void different(String one, @Nullable Path file, String other, @Nullable Path same)
      throws CommandException {
    if (file != null && same != null && isSame(file, same)) {
      throw new CommandException(
          ExitStatus.USAGE,
          "expected " + one + " and " + other + " to name two files, found one: " + file);
    }
  }

  /** Whether two names mean the same file, which need not exist yet. */
  private static boolean isSame(Path one, Path other) {
    try {
      if (Files.exists(one) && Files.exists(other)) {
        return Files.isSameFile(one, other);
      }
      return position(one).equals(position(other));
    } catch (IOException e) {
      return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
    }
  }

  private static Path position(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path folder = absolute.getParent();
    Path name = absolute.getFileName();
    if (folder == null || name == null) {
      return absolute;
    }
    return folder.toRealPath().resolve(name).normalize();
  }

  /** Refuses a file that cannot be written, before time is spent on its content. */
  static void writable(String option, @Nullable Path file) throws CommandException {
    String found = file == null ? null : obstacle(file);
    if (found != null) {
      throw new CommandException(
          ExitStatus.USAGE,
          "expected "
              + option
              + " to name a file that can be written, found "
              + found
              + ": "
              + file);
    }
  }

  private static @Nullable String obstacle(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (file.toString().isEmpty()) {
      return "an empty name";
    }
    if (folder == null || Files.isDirectory(file)) {
      return "a folder";
    }
    if (!Files.isDirectory(folder)) {
      return "no folder " + folder;
    }
    boolean isNew = Files.notExists(file, LinkOption.NOFOLLOW_LINKS);
    if (!isNew && !Files.isRegularFile(file)) {
      // The reader of a pipe would take an attempt for the end, and a link may point to a future
      // file.
      return Files.isWritable(Files.exists(file) ? file : folder) ? null : "one that may not be";
    }
    try (OutputStream _ =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      return null;
    } catch (IOException e) {
      return "one that may not be";
    } finally {
      if (isNew) {
        delete(file);
      }
    }
  }

  /** Deletes a file created only to test whether it can be created. */
  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // it is written again at the end
    }
  }

  /** Refuses a number out of its bounds. */
  static void between(String option, int value, int least, int most) throws CommandException {
    if (value < least || value > most) {
      throw new CommandException(
          ExitStatus.USAGE,
          "expected " + option + " of " + least + " to " + most + ", found " + value);
    }
  }

  /**
   * Prints a summary, writes the page and draws the picture.
   *
   * @param profiles one profile, or the earlier and the later one
   * @param out output of the summary, or null for none
   */
  void show(List<Profile> profiles, @Nullable PrintWriter out) throws IOException {
    if (out != null) {
      out.print(ProfileSummary.of(profiles, level));
    }
    if (page != null) {
      Files.writeString(page, ProfilePage.of(profiles, level, depth));
      if (out != null) {
        out.println();
        out.println("page: " + page);
      }
    }
    if (picture != null) {
      Files.writeString(picture, PackageBarChart.of(profiles, level));
      if (out != null) {
        out.println();
        out.println("picture: " + picture);
      }
    }
    if (out != null) {
      out.flush();
    }
  }
}
