package dev.pinion.bootstrap.cli.profile;

import dev.pinion.bootstrap.cli.AdminClient;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.ProgressLine;
import dev.pinion.bootstrap.profile.Profile;
import dev.pinion.bootstrap.profile.ProfileJson;
import dev.pinion.bootstrap.profile.RecordingMerger;
import dev.pinion.bootstrap.protocol.ProfileRequest;
import dev.pinion.bootstrap.protocol.ProfiledProcess;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Profiles the processes of a running engine. Has no BaseCommand because its --json names a file.
 */
@Command(
    name = "profile",
    description =
        "Shows what the replicas and the broker of a running engine spend their time on. \"profile"
            + " diff\" compares two profiles.",
    sortOptions = false,
    subcommands = ProfileDiffCommand.class)
public final class ProfileCommand implements Callable<Integer> {
  private static final String STANDARD_OUTPUT = "-";

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "10",
      description = "How long, 1 to " + ProfileRequest.MAX_SECONDS + ". Default: 10.")
  private int seconds = 10;

  @Option(
      names = "--replica",
      paramLabel = "K",
      description = "This replica only. Default: all that serve, and the broker.")
  private @Nullable Integer replica;

  @Option(names = "--broker", description = "The broker only.")
  private boolean broker;

  @Mixin private ProfileViewOptions view = new ProfileViewOptions();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description =
          "Writes the whole profile as JSON, for machines and for profile diff; - prints it instead"
              + " of the summary.")
  private @Nullable Path json;

  @Option(
      names = "--admin",
      paramLabel = "URL",
      defaultValue = "${env:PINION_ADMIN:-http://127.0.0.1:9180}",
      description =
          "Where the engine answers operators. Default: $$PINION_ADMIN, else"
              + " http://127.0.0.1:9180.")
  private String admin = "";

  // Read by picocli.
  @SuppressWarnings("UnusedVariable")
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean help;

  @Override
  public Integer call() throws CommandException, IOException, InterruptedException {
    ProfileViewOptions.between("--seconds", seconds, 1, ProfileRequest.MAX_SECONDS);
    if (replica != null) {
      ProfileViewOptions.between("--replica", replica, 0, ProfiledProcess.MAX_INDEX);
    }
    if (broker && replica != null) {
      throw new CommandException(
          ExitStatus.USAGE, "expected --replica or --broker or none of them, found both");
    }
    view.check();
    if (json != null && !json.toString().equals(STANDARD_OUTPUT)) {
      ProfileViewOptions.writable("--json", json);
      view.refuse("--json", json);
    }
    Clock clock = Clock.system();
    String began = Instant.ofEpochMilli(clock.epochMillis()).toString();
    try (AdminClient client = new AdminClient(admin);
        ProfileSession run = new ProfileSession(clock::nanoTime)) {
      ProfileSession.RecordedFiles recordedFiles =
          run.record(client, processes(client), seconds, progress());
      show(
          RecordingMerger.read(
              recordedFiles.recordings(), "profile", began, seconds, recordedFiles.notes()));
    }
    return ExitStatus.OK;
  }

  private List<ProfiledProcess> processes(AdminClient client) throws CommandException {
    List<ProfiledProcess> serving = client.serving();
    ProfiledProcess wanted = selectedProcess();
    if (wanted == null ? serving.isEmpty() : !serving.contains(wanted)) {
      throw new CommandException(
          ExitStatus.FAILURE,
          "expected "
              + (wanted == null ? "a replica" : wanted.name())
              + " that serves, found "
              + serving.stream().map(ProfiledProcess::name).toList());
    }
    return wanted == null ? serving : List.of(wanted);
  }

  /** The requested process; null for all. */
  private @Nullable ProfiledProcess selectedProcess() {
    if (broker) {
      return ProfiledProcess.BROKER;
    }
    return replica == null ? null : ProfiledProcess.replica(replica);
  }

  private void show(Profile profile) throws IOException {
    boolean printed = json != null && json.toString().equals(STANDARD_OUTPUT);
    if (printed) {
      ProfileJson.write(profile, out());
      out().println();
    } else if (json != null) {
      try (Writer file = Files.newBufferedWriter(json, StandardCharsets.UTF_8)) {
        ProfileJson.write(profile, file);
      }
    }
    view.show(List.of(profile), printed ? null : out());
  }

  private PrintWriter out() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }

  /** Terminal for progress; null if there is none. */
  private @Nullable PrintWriter progress() {
    return ProgressLine.hasTerminal() ? Objects.requireNonNull(spec).commandLine().getErr() : null;
  }
}
