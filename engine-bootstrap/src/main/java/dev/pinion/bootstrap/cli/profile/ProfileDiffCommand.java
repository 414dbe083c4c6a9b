package dev.pinion.bootstrap.cli.profile;

import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.profile.Profile;
import dev.pinion.bootstrap.profile.ProfileJson;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares two profiles. */
@Command(
    name = "diff",
    description = "Shows what changed from one profile to another, in parts of the whole of each.",
    sortOptions = false)
final class ProfileDiffCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(index = "0", paramLabel = "BEFORE", description = "A file of profile --json.")
  private Path before = Path.of("");

  @Parameters(index = "1", paramLabel = "AFTER", description = "Another one.")
  private Path after = Path.of("");

  @Mixin private ProfileViewOptions view = new ProfileViewOptions();

  // Read by picocli.
  @SuppressWarnings("UnusedVariable")
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean help;

  @Override
  public Integer call() throws CommandException, IOException {
    view.check();
    view.refuse("BEFORE", before);
    view.refuse("AFTER", after);
    List<Profile> profiles = List.of(read(before), read(after));
    view.show(profiles, Objects.requireNonNull(spec).commandLine().getOut());
    return ExitStatus.OK;
  }

  private static Profile read(Path file) throws CommandException {
    try {
      return ProfileJson.read(file).named(String.valueOf(file.getFileName()));
    } catch (NoSuchFileException e) {
      throw new CommandException(
          ExitStatus.NO_INPUT, "expected a file of profile --json, found no file " + file);
    } catch (IOException e) {
      throw new CommandException(ExitStatus.NO_INPUT, String.valueOf(e.getMessage()));
    }
  }
}
