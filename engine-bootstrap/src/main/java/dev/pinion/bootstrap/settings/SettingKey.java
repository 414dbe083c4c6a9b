package dev.pinion.bootstrap.settings;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every setting of {@code serve}: its one name is option, environment variable and key in files.
 */
public enum SettingKey {
  /** Address. */
  HOST("host", "ADDRESS", "127.0.0.1", "Address to listen on; only loopback for now."),
  /** Port. */
  PORT("port", "PORT", "8080", "Port for clients; 0 takes any that is free."),
  /** Names of the engine. */
  PUBLIC_HOSTS(
      "public-hosts",
      "HOST,...",
      "",
      "Names and addresses under which clients reach the engine besides those of loopback, such as"
          + " engine.example,*.example.org: what a proxy in front of it passes on as Host. Requests"
          + " for other hosts are answered 421."),
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
  /** Durability. */
  DURABILITY(
      "durability",
      "LEVEL",
      "sync",
      "What survives of instances whose definition does not say (metadata.pinion.durability): sync"
          + " (everything acknowledged or visible outside), async (journalled, not waited for) or"
          + " none (in memory)."),
  /** History. */
  HISTORY(
      "history",
      "DATABASE",
      "sqlite",
      "Where the history of instances is kept: sqlite (history/history.db in the data folder), a"
          + " URL such as jdbc:postgresql://host/database, or none."),
  /** User of the history's database. */
  HISTORY_USER("history-user", "USER", "", "Who logs in to the database of the history."),
  /** Password of the history's database. */
  HISTORY_PASSWORD(
      "history-password",
      "PASSWORD",
      "",
      "Its password; better in the environment or a file, where other users do not see it."),
  /** Heap of the history. */
  HISTORY_HEAP(
      "history-heap",
      "SIZE",
      "256m",
      "Heap of the process that keeps the history. Instances that wait are kept beside it."),
  /** Broker. */
  BROKER(
      "broker",
      "MODE",
      "auto",
      "Whether a process beside the replicas decides about services and contracts, and makes plans:"
          + " on, off, or auto (when the data folder has services or contracts)."),
  /** Standby broker. */
  BROKER_STANDBY(
      "broker-standby",
      "BOOLEAN",
      "false",
      "Another process of the broker, which takes over at once when the first one ends."),
  /** Source of service classes. */
  BROKER_CALLERS(
      "broker-callers",
      "RULE",
      "label",
      "Who decides which service class an instance has: label (the client, by the label"
          + " pinion.class), contract (the contract of the caller; others get the default class) or"
          + " contract-only (others are answered 401 or 403). Callers are known by what handlers"
          + " find out (api-key, jwt)."),
  /** Field that names callers. */
  BROKER_CALLER_HEADER(
      "broker-caller-header",
      "FIELD",
      "",
      "Header field that says who calls where no handler does, such as X-User; for a gateway that"
          + " sets it, since the engine believes it."),
  /** Unserved services. */
  BROKER_UNSERVED(
      "broker-unserved",
      "RULE",
      "warn",
      "What becomes of a definition whose abstract services (svc://) nothing that is registered"
          + " serves: warn (deployed, with warnings in the answer) or refuse (422)."),
  /** Starts beyond contracts. */
  BROKER_THROTTLE(
      "broker-throttle",
      "RULE",
      "report",
      "What becomes of starts beyond the rate that was contracted: off (nobody looks), report"
          + " (counted in /metrics) or refuse (counted, and answered 429 with Retry-After)."),
  /** Address for late responses of services. */
  BROKER_CALLBACK_URL(
      "broker-callback-url",
      "URL",
      "",
      "How services that answer later (async) reach this engine, such as https://engine.example:"
          + " what stands before /v1/callbacks/ in the address that comes with each of their calls."
          + " Unless said, they are told the path alone."),
  /** Publishers. */
  PUBLISHERS(
      "publishers",
      "N",
      "auto",
      "Threads that send results to subscribers, on the plan's ancillary CPUs where there are any:"
          + " auto (the limit publish.publishers) or a number."),
  /** Sinks. */
  SINKS(
      "sinks",
      "POLICY",
      "guarded",
      "Where results may be sent to: guarded (any host, but no link-local, multicast or reserved"
          + " address and no cloud's metadata), public (besides no address of this machine and of"
          + " private networks), or only hosts such as example.com,*.example.org,"
          + "http://10.0.0.7:8080."),
  /** Replicas. */
  REPLICAS(
      "replicas",
      "REPLICAS",
      "auto",
      "Replicas to plan: auto (one per last-level cache), a number, MIN..MAX, numa, package,"
          + " interleaved or interleaved:N (wrong on purpose), sosoa:N or sosoa:N:K (N replicas"
          + " with K Kernel and Invoker threads, as in the paper), or a CPU list for each, such as"
          + " 0-3/4-7 (1..0-3/4-7: one of them at least)."),
  /** Layout. */
  LAYOUT(
      "layout",
      "LAYOUT",
      "auto",
      "Event loops of a replica: auto, fused, fused:N or pipelined:R+K+I (loops of Request"
          + " Handler, Kernel and Invoker)."),
  /** Waiting. */
  WAITING(
      "waiting",
      "MODE",
      "auto",
      "How event loops wait: park (sleep), yield, spin (each on a CPU of its own), or by stage as"
          + " in request=park,kernel=spin,invoker=park; auto is park. handlers=spin:N has N workers"
          + " of handlers spin, each on a CPU of its own; else they park."),
  /** Pinning. */
  PINNING(
      "pinning",
      "GRAIN",
      "threads",
      "What is assigned to CPUs: threads (each event loop to its own, all else beside them), group"
          + " (each replica to its CPUs) or none."),
  /** CPUs of the system. */
  SYSTEM_CPUS(
      "system-cpus",
      "N",
      "auto",
      "CPUs left to the system: auto (one where four or more are allowed) or a number."),
  /** Heap. */
  HEAP(
      "heap",
      "SIZE",
      "auto",
      "Heap of all replicas together, such as 512m or 2g. auto: a quarter of the memory allowed,"
          + " at least 128m a replica."),
  /** Shutdown timeout. */
  SHUTDOWN_TIMEOUT(
      "shutdown-timeout",
      "SECONDS",
      "25",
      "Time that instances under way may take to finish when asked to stop."),
  /** Restart window. */
  RESTART_WINDOW(
      "restart-window",
      "SECONDS",
      "60",
      "Time in which five deaths of a replica are a crash loop, and after which restarts are"
          + " immediate again."),
  /** Best effort. */
  BEST_EFFORT("best-effort", "BOOLEAN", "false", "Start unconfined where CPUs cannot be assigned."),
  /** JVM options. */
  JVM_OPTIONS("jvm-options", "OPTIONS", "", "Further options for the JVM of a replica, by spaces."),
  /** Ready file. */
  READY_FILE("ready-file", "FILE", "", "File to write the ready line to, besides printing it."),
  /** Chains of handlers. */
  HANDLERS(
      "handlers",
      "PATH",
      "",
      "Document with the chains of handlers around requests and calls, or folder of such; read"
          + " again by handlers reload."),
  /** NATS servers of handler hosts. */
  HANDLERS_NATS(
      "handlers-nats",
      "URL",
      "",
      "NATS servers behind which handler hosts run the handlers with place: remote or auto, such as"
          + " nats://127.0.0.1:4222; several with commas."),
  /** Further kinds of handlers. */
  HANDLERS_PATH(
      "handlers-path",
      "JAR[:JAR...]",
      "",
      "Jars or folders with further kinds of handlers, for --handlers."),
  /** Trusted certificates. */
  TRUST("trust", "FILE", "", "PEM file of certificates that calls trust besides the system's."),
  /** Limits. */
  SET(
      "set",
      "NAME=VALUE,...",
      "",
      "Limits of the engine, such as kernel.maxCalls=1000. Repeatable. Names and defaults below.");

  /** Prefix of all environment variables of Pinion. */
  static final String VARIABLE_PREFIX = "PINION_";

  private final String label;
  private final String parameter;
  private final @Nullable String defaultValue;
  private final String description;

  SettingKey(String label, String parameter, @Nullable String defaultValue, String description) {
    this.label = label;
    this.parameter = parameter;
    this.defaultValue = defaultValue;
    this.description = description;
  }

  /** Name in files. */
  public String label() {
    return label;
  }

  /** Option on the command line. */
  public String option() {
    return "--" + label;
  }

  /** Environment variable. */
  public String variable() {
    return VARIABLE_PREFIX + label.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** Name of the value in help. */
  public String parameter() {
    return parameter;
  }

  /** Default value, or null when it is determined at run time. */
  public @Nullable String defaultValue() {
    return defaultValue;
  }

  /** Meaning for people. */
  public String description() {
    return description;
  }

  /** Settings on which a plan depends. */
  public static Set<SettingKey> ofPlacement() {
    return EnumSet.of(REPLICAS, LAYOUT, WAITING, PINNING, SYSTEM_CPUS, HEAP);
  }

  /** All names in files. */
  static List<String> labels() {
    return Arrays.stream(values()).map(SettingKey::label).toList();
  }
}
