package dev.pinion.core.program;

import dev.pinion.core.limits.ProgramLimits;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.model.call.ProgramRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Makes command lines of a container engine: {@code docker}, else {@code podman}. For any thread.
 */
final class ContainerCommands {
  private static final List<String> ENGINES = List.of("docker", "podman");

  /** Of a mebibyte. */
  private static final long BYTES = 1L << 20;

  /** Prefixes and names of variables by which the container engine is found. */
  private static final List<String> OF_ENGINE =
      List.of("DOCKER_", "CONTAINER_", "CONTAINERS_", "XDG_", "HOME");

  private final ProgramLimits limits;
  private final ProgramSearch search;

  ContainerCommands(ProgramLimits limits, ProgramSearch search) {
    this.limits = limits;
    this.search = search;
  }

  /**
   * The command line of a run.
   *
   * @throws MissingProgramException when this machine has no container engine
   */
  ProgramCommand command(ProgramRun run, Program.Container container, Path folder)
      throws MissingProgramException {
    String engine = ProgramCommands.require(search, ENGINES);
    Path id = folder.resolve("container-id");
    List<String> words = new ArrayList<>(ProgramSession.words(search));
    words.addAll(List.of(engine, "run", "--name", container.name().of(nameOf(run))));
    words.addAll(List.of("--cidfile", id.toString(), "--pull", pull(container.pull())));
    if (run.body() != null) {
      words.add("--interactive");
    }
    if (limits.maxMemoryMebibytes() > 0) {
      words.addAll(List.of("--memory", limits.maxMemoryMebibytes() + "m"));
    }
    if (limits.maxFileMebibytes() > 0) {
      words.addAll(List.of("--ulimit", "fsize=" + limits.maxFileMebibytes() * BYTES));
    }
    container.ports().forEach((here, there) -> words.addAll(List.of("-p", here + ':' + there)));
    container.volumes().forEach((here, there) -> words.addAll(List.of("-v", here + ':' + there)));
    Map<String, String> environment = environment(search);
    run.environment().forEach((variable, value) -> pass(variable, value, environment, words));
    words.add(container.image());
    if (container.command() != null) {
      words.addAll(List.of("sh", "-c", container.command(), "sh"));
    }
    words.addAll(run.arguments());
    StartedContainer started =
        new StartedContainer(engine, environment(search), id, container.removeAfterNanos());
    return new ProgramCommand(words, environment, folder, started);
  }

  /** A name for the run: each attempt has its own, since the container of another may be there. */
  private static String nameOf(ProgramRun run) {
    String key = run.environment().get(ProgramRun.IDEMPOTENCY_KEY);
    if (key == null) {
      return UUID.randomUUID().toString();
    }
    String attempt = run.environment().getOrDefault(ProgramRun.ATTEMPT, "1");
    return attempt.equals("1") ? key : key + "-" + attempt;
  }

  /** Environment variables by which a container engine is found; the others may be secret. */
  static Map<String, String> environment(ProgramSearch search) {
    Map<String, String> environment = new HashMap<>();
    System.getenv()
        .forEach(
            (name, value) -> {
              if (OF_ENGINE.stream().anyMatch(name::startsWith)) {
                environment.put(name, value);
              }
            });
    environment.put("PATH", search.path());
    return environment;
  }

  /**
   * A value stays off the command line, where others can read it, unless its variable would steer
   * the container engine on this machine, too.
   */
  private static void pass(
      String variable, String value, Map<String, String> environment, List<String> words) {
    words.add("-e");
    boolean shown = Program.Container.isShown(variable);
    if (!shown && environment.putIfAbsent(variable, value) == null) {
      words.add(variable);
    } else {
      words.add(variable + '=' + value);
    }
  }

  private static String pull(Program.Pull pull) {
    return switch (pull) {
      case IF_NOT_PRESENT -> "missing";
      case ALWAYS -> "always";
      case NEVER -> "never";
    };
  }
}
