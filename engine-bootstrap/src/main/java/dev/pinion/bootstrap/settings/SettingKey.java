package dev.pinion.bootstrap.settings;

import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.core.http.AllowedHosts;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.resource.AllowedDocuments;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Every setting of {@code serve}: its one name is option, environment variable and key in files. A
 * declaration is all that a new setting needs besides its use: values come from {@link
 * EffectiveSettings#get}, in the parent and in its children.
 *
 * @param <T> type of its checked values
 */
public final class SettingKey<T> {
  /** Prefix of all environment variables of Pinion. */
  static final String VARIABLE_PREFIX = "PINION_";

  private static final int MAX_PORT = 65_535;
  private static final int MAX_SECONDS = 3_600;
  private static final int MAX_PUBLISHERS = 64;

  /** Keys of this class in the order of their declaration; filled below, then unchanged. */
  private static final List<SettingKey<?>> ALL = new ArrayList<>();

  /** Address. */
  public static final SettingKey<String> HOST =
      key(
          "host",
          "ADDRESS",
          "127.0.0.1",
          "Address to listen on; only loopback for now.",
          SettingValues::loopback);

  /** Port. */
  public static final SettingKey<Integer> PORT =
      key(
          "port",
          "PORT",
          "8080",
          "Port for clients; 0 takes any that is free.",
          text -> SettingValues.number(text, 0, MAX_PORT));

  /** Names of the engine. */
  public static final SettingKey<AllowedHosts> PUBLIC_HOSTS =
      key(
          "public-hosts",
          "HOST,...",
          "",
          "Names and addresses under which clients reach the engine besides those of loopback, such"
              + " as engine.example,*.example.org: what a proxy in front of it passes on as Host."
              + " Requests for other hosts are answered 421.",
          AllowedHosts::parse);

  /** Dispatch. */
  public static final SettingKey<DispatchMode> DISPATCH =
      key(
          "dispatch",
          "MODE",
          "handover",
          "How requests come to several replicas: handover (the parent accepts connections and"
              + " hands them over in turn), reuseport (the operating system deals connections out),"
              + " round-robin or least-loaded (each start to the next or to the least busy"
              + " replica).",
          SettingValues::dispatch);

  /** Admin port. */
  public static final SettingKey<Optional<AdminPort>> ADMIN_PORT =
      key(
          "admin-port",
          "PORT",
          "auto",
          "Port for operators, on loopback: health, replicas, events, restarts. auto takes "
              + AdminPort.PREFERRED
              + ", or any that is free when that is taken; 0 takes any; none switches it off.",
          SettingValues.unless("none", SettingValues::adminPort));

  /** Data directory. */
  public static final SettingKey<Path> DATA =
      key(
          "data",
          "FOLDER",
          null,
          "Folder of everything durable. Default: $XDG_DATA_HOME/pinion, else"
              + " ~/.local/share/pinion.",
          SettingValues::folder);

  /** Durability. */
  public static final SettingKey<Durability> DURABILITY =
      key(
          "durability",
          "LEVEL",
          "sync",
          "What survives of instances whose definition does not say (metadata.pinion.durability):"
              + " sync (everything acknowledged or visible outside), async (journalled, not waited"
              + " for) or none (in memory).",
          text -> SettingValues.choice(text, Durability::of, Durability.labels()));

  /** History. */
  public static final SettingKey<String> HISTORY =
      key(
          "history",
          "DATABASE",
          "sqlite",
          "Where the history of instances is kept: sqlite (history/history.db in the data folder),"
              + " a URL such as jdbc:postgresql://host/database, or none.",
          SettingValues::historyDatabase);

  /** User of the history's database. */
  public static final SettingKey<String> HISTORY_USER =
      key(
          "history-user",
          "USER",
          "",
          "Who logs in to the database of the history.",
          SettingValues::printable);

  /** Password of the history's database. */
  public static final SettingKey<String> HISTORY_PASSWORD =
      key(
          "history-password",
          "PASSWORD",
          "",
          "Its password; better in the environment or a file, where other users do not see it.",
          SettingValues::printable);

  /** Heap of the history. */
  public static final SettingKey<Long> HISTORY_HEAP =
      key(
          "history-heap",
          "SIZE",
          "256m",
          "Heap of the process that keeps the history. Instances that wait are kept beside it.",
          SettingValues::size);

  /** Publishers. */
  public static final SettingKey<Optional<Integer>> PUBLISHERS =
      key(
          "publishers",
          "N",
          "auto",
          "Threads that send results to subscribers, on the plan's ancillary CPUs where there are"
              + " any: auto (the limit publish.publishers) or a number.",
          SettingValues.unless("auto", text -> SettingValues.number(text, 1, MAX_PUBLISHERS)));

  /** Sinks. */
  public static final SettingKey<SinkPolicy> SINKS =
      key(
          "sinks",
          "POLICY",
          "guarded",
          "Where results may be sent to: guarded (any host, but no link-local, multicast or"
              + " reserved address and no cloud's metadata), public (besides no address of this"
              + " machine and of private networks), or only hosts such as"
              + " example.com,*.example.org,http://10.0.0.7:8080.",
          SinkPolicy::parse);

  /** Sinks of emitted events. */
  public static final SettingKey<List<EventSinkSpec>> EVENT_SINKS =
      key(
          "event-sinks",
          "NAME=URL,...",
          "",
          "Sinks of the events that instances emit, each with a name of its own; with"
              + " NAME:PREFIX=URL only events whose type begins so. The hosts are limited by"
              + " --sinks.",
          EventSinkSpec::parse);

  /** Sinks of lifecycle events. */
  public static final SettingKey<List<LifecycleSinkSpec>> LIFECYCLE_EVENTS =
      key(
          "lifecycle-events",
          "NAME,...",
          "",
          "Sinks of --event-sinks that get the lifecycle events of workflows and tasks, too, with"
              + " NAME:TYPES only some (workflow, task, status or single ones such as"
              + " workflow.completed, joined by +), with NAME@NAMESPACE only those of a namespace."
              + " None unless said.",
          LifecycleSinkSpec::parse);

  /** Shutdown timeout. */
  public static final SettingKey<Duration> SHUTDOWN_TIMEOUT =
      key(
          "shutdown-timeout",
          "SECONDS",
          "25",
          "Time that instances under way may take to finish when asked to stop.",
          text -> SettingValues.seconds(text, 0, MAX_SECONDS));

  /** Restart window. */
  public static final SettingKey<Duration> RESTART_WINDOW =
      key(
          "restart-window",
          "SECONDS",
          "60",
          "Time in which five deaths of a replica are a crash loop, and after which restarts are"
              + " immediate again.",
          text -> SettingValues.seconds(text, 1, MAX_SECONDS));

  /** Best effort. */
  public static final SettingKey<Boolean> BEST_EFFORT =
      key(
          "best-effort",
          "BOOLEAN",
          "false",
          "Start unconfined where CPUs cannot be assigned.",
          SettingValues::bool);

  /** JVM options. */
  public static final SettingKey<List<String>> JVM_OPTIONS =
      key(
          "jvm-options",
          "OPTIONS",
          "",
          "Further options for the JVM of a replica, by spaces.",
          SettingValues::words);

  /** Ready file. */
  public static final SettingKey<Optional<Path>> READY_FILE =
      key(
          "ready-file",
          "FILE",
          "",
          "File to write the ready line to, besides printing it.",
          SettingValues.unless("", Path::of));

  /** Chains of handlers. */
  public static final SettingKey<Optional<Path>> HANDLERS =
      key(
          "handlers",
          "PATH",
          "",
          "Document with the chains of handlers around requests and calls, or folder of such; read"
              + " again by handlers reload.",
          SettingValues.unless("", SettingValues::path));

  /** NATS servers of handler hosts. */
  public static final SettingKey<String> HANDLERS_NATS =
      key(
          "handlers-nats",
          "URL",
          "",
          "NATS servers behind which handler hosts run the handlers with place: remote or auto,"
              + " such as nats://127.0.0.1:4222; several with commas.",
          SettingValues::nats);

  /** Credentials for these servers. */
  public static final SettingKey<Optional<Path>> HANDLERS_NATS_CREDENTIALS =
      key(
          "handlers-nats-credentials",
          "FILE",
          "",
          "Token and key of a NATS user (.creds), for --handlers-nats.",
          SettingValues.unless("", SettingValues::path));

  /** Issuers of these servers' certificates. */
  public static final SettingKey<Optional<Path>> HANDLERS_NATS_TRUST =
      key(
          "handlers-nats-trust",
          "FILE",
          "",
          "PEM file with issuers of the NATS servers' certificates. Unless said, those of the JDK.",
          SettingValues.unless("", SettingValues::path));

  /** Further kinds of handlers. */
  public static final SettingKey<List<Path>> HANDLERS_PATH =
      key(
          "handlers-path",
          "JAR[:JAR...]",
          "",
          "Jars or folders with further kinds of handlers, for --handlers.",
          SettingValues::jars);

  /** Trusted certificates. */
  public static final SettingKey<Optional<Path>> TRUST =
      key(
          "trust",
          "FILE",
          "",
          "PEM file of certificates that calls trust besides the system's.",
          SettingValues.unless("", SettingValues::path));

  /** Programs. */
  public static final SettingKey<Set<Program.Kind>> PROGRAMS =
      key(
          "programs",
          "KIND,...",
          "",
          "Programs that tasks may run on this machine: shell, javascript, python, container,"
              + " mcp (servers of the Model Context Protocol). None unless said.",
          SettingValues::programs);

  /** Documents of definitions. */
  public static final SettingKey<AllowedDocuments> DOCUMENTS =
      key(
          "documents",
          "PLACE,...",
          "",
          "Folders and URLs below which the documents are to which definitions refer (functions,"
              + " catalogs, schemas, scripts), such as /srv/functions,https://example.com/schemas."
              + " They are fetched when a definition is deployed, and kept with it.",
          AllowedDocuments::parse);

  /** Folder of secrets. */
  public static final SettingKey<Optional<Path>> SECRETS_DIRECTORY =
      key(
          "secrets-directory",
          "FOLDER",
          "",
          "Folder of the secrets that definitions use: one file for each, named like it, or a"
              + " folder of files. Unless a file has it, a secret comes from PINION_SECRET_NAME in"
              + " the environment or from the credentials of systemd.",
          SettingValues.unless("", SettingValues::path));

  /** Limits. */
  public static final SettingKey<String> SET =
      key(
          "set",
          "NAME=VALUE,...",
          "",
          "Limits of the engine, such as kernel.maxCalls=1000. Repeatable. Names and defaults"
              + " below.",
          text -> text);

  private final String label;
  private final String parameter;
  private final @Nullable String defaultValue;
  private final String description;
  private final Function<String, T> check;

  /**
   * A key.
   *
   * @param check checks a text; throws {@link IllegalArgumentException} with what is expected
   */
  SettingKey(
      String label,
      String parameter,
      @Nullable String defaultValue,
      String description,
      Function<String, T> check) {
    this.label = label;
    this.parameter = parameter;
    this.defaultValue = defaultValue;
    this.description = description;
    this.check = check;
  }

  private static <T> SettingKey<T> key(
      String label,
      String parameter,
      @Nullable String defaultValue,
      String description,
      Function<String, T> check) {
    SettingKey<T> key = new SettingKey<>(label, parameter, defaultValue, description, check);
    ALL.add(key);
    return key;
  }

  /** All settings, in the order of help. */
  public static List<SettingKey<?>> all() {
    List<SettingKey<?>> all = new ArrayList<>(ALL);
    all.addAll(all.indexOf(PUBLISHERS), BrokerKey.all());
    all.addAll(all.indexOf(SHUTDOWN_TIMEOUT), PlacementKey.all());
    return all;
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

  /** Whether its name alone, as an option, means true. */
  boolean isSwitch() {
    return "false".equals(defaultValue);
  }

  /** Default value, or null when it is determined at run time. */
  public @Nullable String defaultValue() {
    return defaultValue;
  }

  /** Meaning for people. */
  public String description() {
    return description;
  }

  /**
   * The value of a text.
   *
   * @throws IllegalArgumentException when it is none; the message says what is expected
   */
  public T parse(String text) {
    return check.apply(text);
  }

  @Override
  public String toString() {
    return label;
  }
}
