package dev.pinion.bootstrap.settings;

import dev.pinion.bootstrap.placement.IdleStrategies;
import dev.pinion.bootstrap.placement.Pinning;
import dev.pinion.bootstrap.placement.ReplicaPolicy;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.core.settings.StageLayout;
import java.util.List;
import java.util.Optional;

/** Settings on which the plan of replicas, event loops and CPUs depends. */
public final class PlacementKey {
  /** Replicas. */
  public static final SettingKey<ReplicaPolicy> REPLICAS =
      new SettingKey<>(
          "replicas",
          "REPLICAS",
          "auto",
          "Replicas to plan: auto (one per last-level cache), a number, MIN..MAX, numa, package,"
              + " interleaved or interleaved:N (wrong on purpose), sosoa:N or sosoa:N:K (N replicas"
              + " with K Kernel and Invoker threads, as in the paper), or a CPU list for each, such"
              + " as 0-3/4-7 (1..0-3/4-7: one of them at least).",
          ReplicaPolicy::parse);

  /** Layout. */
  public static final SettingKey<Optional<StageLayout>> LAYOUT =
      new SettingKey<>(
          "layout",
          "LAYOUT",
          "auto",
          "Event loops of a replica: auto, fused, fused:N or pipelined:R+K+I (loops of Request"
              + " Handler, Kernel and Invoker).",
          SettingValues::layout);

  /** Waiting. */
  public static final SettingKey<Optional<IdleStrategies>> WAITING =
      new SettingKey<>(
          "waiting",
          "MODE",
          "auto",
          "How event loops wait: park (sleep), yield, spin (each on a CPU of its own), or by stage"
              + " as in request=park,kernel=spin,invoker=park; auto is park. handlers=spin:N has N"
              + " workers of handlers spin, each on a CPU of its own; else they park.",
          SettingValues.unless("auto", IdleStrategies::parse));

  /** Pinning. */
  public static final SettingKey<Pinning> PINNING =
      new SettingKey<>(
          "pinning",
          "GRAIN",
          "threads",
          "What is assigned to CPUs: threads (each event loop to its own, all else beside them),"
              + " group (each replica to its CPUs) or none.",
          Pinning::of);

  /** CPUs of the system. */
  public static final SettingKey<Optional<Integer>> SYSTEM_CPUS =
      new SettingKey<>(
          "system-cpus",
          "N",
          "auto",
          "CPUs left to the system: auto (one where four or more are allowed) or a number.",
          SettingValues.unless("auto", text -> SettingValues.number(text, 0, CpuSet.MAX_CPU)));

  /** Heap. */
  public static final SettingKey<Optional<Long>> HEAP =
      new SettingKey<>(
          "heap",
          "SIZE",
          "auto",
          "Heap of all replicas together, such as 512m or 2g. auto: a quarter of the memory"
              + " allowed, at least 128m a replica.",
          SettingValues.unless("auto", SettingValues::size));

  private PlacementKey() {}

  /** All of them, in the order of help. */
  public static List<SettingKey<?>> all() {
    return List.of(REPLICAS, LAYOUT, WAITING, PINNING, SYSTEM_CPUS, HEAP);
  }
}
