package dev.pinion.core.model.call;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a {@code run} task runs on this machine. Immutable. */
public sealed interface Program {
  /** Its kind, which the configuration must allow. */
  Kind kind();

  /** Kinds of programs. */
  enum Kind {
    /** A command of the shell. */
    SHELL,
    /** A script in JavaScript. */
    JAVASCRIPT,
    /** A script in Python. */
    PYTHON,
    /** A container. */
    CONTAINER,
    /** A server of the Model Context Protocol that a call starts. */
    MCP;

    /** Name in settings and messages. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A command of the shell, which sees the arguments as {@code $1}, {@code $2} and so on.
   *
   * @param command text that the shell reads
   */
  record Shell(String command) implements Program {
    @Override
    public Kind kind() {
      return Kind.SHELL;
    }
  }

  /**
   * A script for an interpreter.
   *
   * @param kind {@link Kind#JAVASCRIPT} or {@link Kind#PYTHON}
   * @param code text of the script
   */
  record Script(Kind kind, String code) implements Program {}

  /**
   * A server of the Model Context Protocol that speaks by its standard input and output.
   *
   * @param command name or absolute path of the program
   */
  record Server(String command) implements Program {
    @Override
    public Kind kind() {
      return Kind.MCP;
    }
  }

  /**
   * A container.
   *
   * @param image name of the image
   * @param command text that the shell of the image reads; null for the command of the image
   * @param name name of the container
   * @param ports ports of this machine with those of the container
   * @param volumes folders or volumes of this machine with their folders in the container
   * @param pull when the image is fetched
   * @param removeAfterNanos time from its end to its removal; negative for never
   */
  record Container(
      String image,
      @Nullable String command,
      ContainerName name,
      Map<String, String> ports,
      Map<String, String> volumes,
      Pull pull,
      long removeAfterNanos)
      implements Program {
    /** For {@link #removeAfterNanos}: the container stays. */
    public static final long NEVER = -1;

    /**
     * Names, or their beginnings, of environment variables of a container engine, and of those by
     * which a machine finds the code of programs.
     */
    private static final List<String> STEERING =
        List.of("DOCKER_", "CONTAINER_", "CONTAINERS_", "XDG_", "HOME", "LD_", "PATH");

    /** Copies the maps. */
    public Container {
      ports = Map.copyOf(ports);
      volumes = Map.copyOf(volumes);
    }

    /**
     * Whether an environment variable of a container would steer the container engine on this
     * machine, too: its value has to stand on the command line, where others can read it.
     */
    public static boolean isShown(String variable) {
      return STEERING.stream().anyMatch(variable::startsWith);
    }

    @Override
    public Kind kind() {
      return Kind.CONTAINER;
    }
  }

  /**
   * Name of a container.
   *
   * @param fixed the name that the task gives, or null
   * @param before what stands before the name of the run, else
   * @param after what stands behind it
   */
  record ContainerName(@Nullable String fixed, String before, String after) {
    private static final int MAX_CHARS = 200;

    /** The name of the container of one run. */
    public String of(String run) {
      if (fixed != null) {
        return fixed;
      }
      String name = (before + run + after).replaceAll("[^a-zA-Z0-9_.-]", "_");
      return name.length() > MAX_CHARS ? name.substring(0, MAX_CHARS) : name;
    }
  }

  /** When an image is fetched from its registry. */
  enum Pull {
    /** When it is missing. */
    IF_NOT_PRESENT,
    /** Each time. */
    ALWAYS,
    /** Not at all. */
    NEVER
  }
}
