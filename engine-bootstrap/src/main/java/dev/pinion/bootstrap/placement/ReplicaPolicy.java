package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.core.settings.StageLayout;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Number of replicas and the CPUs of each. */
public sealed interface ReplicaPolicy {
  /** Most replicas that can be configured. */
  int MAX_REPLICAS = 1_024;

  /** Valid forms, for help and messages. */
  String FORMS =
      "auto, a number, MIN..MAX, numa, package, interleaved, interleaved:N, sosoa:N, sosoa:N:K,"
          + " CPU lists such as 0-3/4-7, or MIN..LISTS";

  /** One for each affinity group, by the rules of {@link PlacementPlanner}. */
  record Auto() implements ReplicaPolicy {
    @Override
    public String toString() {
      return "auto";
    }
  }

  /**
   * A number of places, of which a minimum is taken at any time.
   *
   * @param min fewest replicas at any time
   * @param max places in the plan
   */
  record Between(int min, int max) implements ReplicaPolicy {
    /** Checks the numbers. */
    public Between {
      require(min);
      require(max);
      if (max < min) {
        throw new IllegalArgumentException(
            "expected MIN..MAX with MIN up to MAX, found " + min + ".." + max);
      }
    }

    @Override
    public String toString() {
      return min == max ? Integer.toString(min) : min + ".." + max;
    }
  }

  /** One for each NUMA node. */
  record ByNode() implements ReplicaPolicy {
    @Override
    public String toString() {
      return "numa";
    }
  }

  /** One for each package. */
  record ByPackage() implements ReplicaPolicy {
    @Override
    public String toString() {
      return "package";
    }
  }

  /**
   * CPUs dealt in turn, so that every replica has some in every cache: wrong on purpose, to measure
   * the value of right placement ("2 Replicas Interleaved" in the SOSOA paper).
   *
   * @param replicas number of replicas, or null for that of {@code auto}, at least two
   */
  record Interleaved(@Nullable Integer replicas) implements ReplicaPolicy {
    /** Checks the number. */
    public Interleaved {
      if (replicas != null) {
        require(replicas);
      }
    }

    @Override
    public String toString() {
      return replicas == null ? "interleaved" : "interleaved:" + replicas;
    }
  }

  /**
   * A row of the SOSOA paper's Table I: replicas with equally many Kernel and Invoker threads and a
   * separate Request Handler.
   *
   * @param replicas number of replicas
   * @param threads Kernel threads and Invoker threads of each replica, or null for one of each per
   *     CPU of the replica, as on the paper's machine M1
   */
  record Sosoa(int replicas, @Nullable Integer threads) implements ReplicaPolicy {
    /** Checks the numbers. */
    public Sosoa {
      require(replicas);
      if (threads != null && (threads < 1 || threads > StageLayout.MAX_LOOPS)) {
        throw new IllegalArgumentException(
            "expected 1 to " + StageLayout.MAX_LOOPS + " threads of a kind, found " + threads);
      }
    }

    @Override
    public String toString() {
      return "sosoa:" + replicas + (threads == null ? "" : ":" + threads);
    }
  }

  /**
   * CPU lists of the user. Lists may share CPUs, to try more replicas than a machine has CPUs for.
   *
   * @param min fewest replicas at any time
   * @param sets the CPUs of each replica; checked by the plan, which knows the machine
   */
  record Listed(int min, List<CpuSet> sets) implements ReplicaPolicy {
    /** Copies the list and checks the numbers. */
    public Listed {
      sets = List.copyOf(sets);
      require(sets.size());
      require(min);
      if (min > sets.size()) {
        throw new IllegalArgumentException(
            "expected MIN..LISTS with MIN up to the number of lists, found "
                + min
                + " and "
                + sets.size());
      }
    }

    @Override
    public String toString() {
      String lists = sets.stream().map(CpuSet::toString).collect(Collectors.joining("/"));
      return min == sets.size() ? lists : min + ".." + lists;
    }
  }

  /**
   * Reads one of the {@link #FORMS}.
   *
   * @throws IllegalArgumentException when the text is in none of them
   */
  static ReplicaPolicy parse(String text) {
    Matcher numbers =
        Pattern.compile("(?:(interleaved|sosoa):)?(\\d{1,4})(?:(\\.\\.|:)(\\d{1,4}))?")
            .matcher(text);
    if (numbers.matches()) {
      return ofNumbers(text, numbers);
    }
    return switch (text) {
      case "auto" -> new Auto();
      case "numa" -> new ByNode();
      case "package" -> new ByPackage();
      case "interleaved" -> new Interleaved(null);
      default -> listed(text);
    };
  }

  private static ReplicaPolicy ofNumbers(String text, Matcher numbers) {
    String form = String.valueOf(numbers.group(1)) + String.valueOf(numbers.group(3));
    int first = Integer.parseInt(numbers.group(2));
    Integer second = numbers.group(4) == null ? null : Integer.valueOf(numbers.group(4));
    return switch (form) {
      case "nullnull" -> new Between(first, first);
      case "null.." -> new Between(first, second == null ? first : second);
      case "interleavednull" -> new Interleaved(first);
      case "sosoanull", "sosoa:" -> new Sosoa(first, second);
      default -> throw noForm(text);
    };
  }

  private static ReplicaPolicy listed(String text) {
    Matcher lists = Pattern.compile("(?:(\\d{1,4})\\.\\.)?([0-9,/ -]+)").matcher(text);
    if (text.isBlank() || !lists.matches()) {
      throw noForm(text);
    }
    List<CpuSet> sets = Arrays.stream(lists.group(2).split("/", -1)).map(CpuSet::parse).toList();
    return new Listed(
        lists.group(1) == null ? sets.size() : Integer.parseInt(lists.group(1)), sets);
  }

  private static IllegalArgumentException noForm(String text) {
    return new IllegalArgumentException("expected " + FORMS + ", found \"" + text + "\"");
  }

  private static void require(int replicas) {
    if (replicas < 1 || replicas > MAX_REPLICAS) {
      throw new IllegalArgumentException(
          "expected 1 to " + MAX_REPLICAS + " replicas, found " + replicas);
    }
  }
}
