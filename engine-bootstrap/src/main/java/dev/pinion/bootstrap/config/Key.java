package dev.pinion.bootstrap.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Every setting of {@code serve}: its one name serves as option, as environment and in files. */
public enum Key {
  /** Address. */
  HOST("host", "ADDRESS", "127.0.0.1", "Address to listen on; only loopback for now."),
  /** Port. */
  PORT("port", "PORT", "8080", "Port for clients; 0 takes any that is free."),
  /** Dispatch. */
  DISPATCH(
      "dispatch",
      "MODE",
      "handover",
      "How requests come to several replicas: handover (the parent accepts connections and hands"
          + " them over in turn), reuseport (the operating system deals connections out),"
          + " round-robin or least-loaded (each start to the next or to the least busy replica)."),
  /** Admin port. */
  ADMIN_PORT(
      "admin-port",
      "PORT",
      "auto",
      "Port for operators, on loopback: health, replicas, events, restarts. auto takes "
          + AdminPort.PREFERRED
          + ", or any that is free when that is taken; 0 takes any; none switches it off."),
  /** Data directory. */
  DATA(
      "data",
      "FOLDER",
      null,
      "Folder of everything durable. Default: $XDG_DATA_HOME/pinion, else ~/.local/share/pinion."),
  /** Number of replicas. */
  REPLICAS(
      "replicas", "N", "auto", "Replicas to plan: auto (one per last-level cache) or a number."),
  /** Layout. */
  LAYOUT(
      "layout",
      "LAYOUT",
      "auto",
      "Event loops of a replica: auto, fused, fused:N or pipelined:R+K+I (loops of Request"
          + " Handler, Kernel and Invoker)."),
  /** Waiting. */
  WAITING("waiting", "MODE", "park", "How event loops wait: park (sleep) or spin."),
  /** Heap. */
  HEAP(
      "heap",
      "SIZE",
      "auto",
      "Heap of all replicas together, such as 512m or 2g. auto: a quarter of the memory allowed,"
          + " from 128m to 4g a replica."),
  /** Shutdown timeout. */
  SHUTDOWN_TIMEOUT(
      "shutdown-timeout",
      "SECONDS",
      "25",
      "Time that instances under way may take to finish when asked to stop."),
  /** Best effort. */
  BEST_EFFORT("best-effort", "BOOLEAN", "false", "Start unconfined where CPUs cannot be assigned."),
  /** JVM options. */
  JVM_OPTIONS("jvm-options", "OPTIONS", "", "Further options for the JVM of a replica, by spaces."),
  /** Ready file. */
  READY_FILE("ready-file", "FILE", "", "File to write the ready line to, besides printing it."),
  /** Trusted certificates. */
  TRUST("trust", "FILE", "", "PEM file of certificates that calls trust besides the system's."),
  /** Limits. */
  SET(
      "set",
      "NAME=VALUE,...",
      "",
      "Limits of the engine, such as kernel.maxCalls=1000. Repeatable. Names and defaults below.");

  private final String label;
  private final String parameter;
  private final @Nullable String defaultValue;
  private final String description;

  Key(String label, String parameter, @Nullable String defaultValue, String description) {
    this.label = label;
    this.parameter = parameter;
    this.defaultValue = defaultValue;
    this.description = description;
  }

  /** Its name in files. */
  public String label() {
    return label;
  }

  /** Its option on the command line. */
  public String option() {
    return "--" + label;
  }

  /** Its environment variable. */
  public String variable() {
    return "PINION_" + label.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** What its value is called in help. */
  public String parameter() {
    return parameter;
  }

  /** Its value when nothing is said, or null when that is found out at run time. */
  public @Nullable String defaultValue() {
    return defaultValue;
  }

  /** What it means, for people. */
  public String description() {
    return description;
  }

  /** All names in files. */
  static List<String> labels() {
    return Arrays.stream(values()).map(Key::label).toList();
  }
}
