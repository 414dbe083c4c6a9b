package dev.pinion.bootstrap.settings;

import dev.pinion.bootstrap.datadir.DataDirectoryIdentity;
import dev.pinion.bootstrap.placement.IdleStrategies;
import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.core.settings.StageLayout;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Settings that the parent adds for each of its children: the place of a replica in the plan. They
 * are no options, and files and the environment cannot set them.
 */
public final class ReplicaKey {
  /** Its place in the plan. */
  public static final SettingKey<Integer> INDEX = key("index", "0", ReplicaKey::count);

  /** Number of places in the plan, whether or not a replica runs in each. */
  public static final SettingKey<Integer> SLOTS = key("slots", "1", ReplicaKey::count);

  /**
   * Replica of each slot, as in {@link ReplicaProtocol#SLOTS}; empty when each replica holds its
   * own.
   */
  public static final SettingKey<String> ASSIGNMENT = key("assignment", "", text -> text);

  /** Dispatch of requests to it, which depends on the number of replicas. */
  public static final SettingKey<DispatchMode> DISPATCH =
      key("dispatch", DispatchMode.DIRECT.label(), DispatchMode::of);

  /** Port to listen on; 0 for any free one. */
  public static final SettingKey<Integer> PORT = key("port", "0", ReplicaKey::count);

  /** Folder of the sockets between parent and replicas; empty for a single replica. */
  public static final SettingKey<String> RUN_DIRECTORY = key("run-directory", "", text -> text);

  /** Identity of the data folder; empty when any folder is accepted. */
  public static final SettingKey<Optional<DataDirectoryIdentity>> DATA_IDENTITY =
      key(
          "data-identity",
          "",
          text ->
              text.isEmpty() ? Optional.empty() : Optional.of(DataDirectoryIdentity.parse(text)));

  /** Its event loops. */
  public static final SettingKey<StageLayout> LAYOUT = key("layout", "fused:1", StageLayout::parse);

  /** Mode of idle event loops, and of workers of handlers. */
  public static final SettingKey<IdleStrategies> WAITING =
      key("waiting", "park", IdleStrategies::parse);

  /**
   * CPUs of event loops that are pinned, and of workers of handlers that spin, by the name of their
   * thread, such as {@code kernel-0}.
   */
  public static final SettingKey<Map<String, Integer>> PINS =
      key("pins", "", SettingValues::numbers);

  /** CPUs of all other threads of the engine when event loops are pinned, as a list. */
  public static final SettingKey<String> ANCILLARY_CPUS = key("ancillary-cpus", "", text -> text);

  /**
   * Number of CPUs of the replica of each slot, by the slot's number; empty when all have equally
   * many.
   */
  public static final SettingKey<Map<String, Integer>> CPUS =
      key("cpus", "", SettingValues::numbers);

  private ReplicaKey() {}

  private static <T> SettingKey<T> key(String name, String preset, Function<String, T> check) {
    return new SettingKey<>("replica." + name, "", preset, "", check);
  }

  private static int count(String text) {
    return SettingValues.number(text, 0, Integer.MAX_VALUE);
  }

  /** All of them. */
  static List<SettingKey<?>> all() {
    return List.of(
        INDEX,
        SLOTS,
        ASSIGNMENT,
        DISPATCH,
        PORT,
        RUN_DIRECTORY,
        DATA_IDENTITY,
        LAYOUT,
        WAITING,
        PINS,
        ANCILLARY_CPUS,
        CPUS);
  }
}
