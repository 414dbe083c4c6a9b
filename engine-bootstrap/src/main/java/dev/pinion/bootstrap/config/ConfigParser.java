package dev.pinion.bootstrap.config;

import dev.pinion.bootstrap.config.ConfigLoader.Value;
import dev.pinion.bootstrap.history.HistoryTarget;
import dev.pinion.bootstrap.placement.Layout;
import dev.pinion.bootstrap.placement.Pinning;
import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.bootstrap.placement.ReplicaPolicy;
import dev.pinion.bootstrap.placement.Waiting;
import dev.pinion.bootstrap.process.BindingChoice;
import dev.pinion.bootstrap.process.BrokerChoice;
import dev.pinion.bootstrap.process.Dispatch;
import dev.pinion.bootstrap.process.HandlerChoice;
import dev.pinion.bootstrap.process.HistoryChoice;
import dev.pinion.bootstrap.publish.SinkPolicy;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.core.model.CallerRule;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.OwnHosts;
import dev.pinion.core.model.ThrottleRule;
import dev.pinion.core.model.UnservedRule;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses texts into settings; adds a sentence for each invalid one. */
final class ConfigParser {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([kmg]?)");
  private static final Pattern NATS = Pattern.compile("(nats|tls|wss?)://[\\x21-\\x7E]{1,255}");
  private static final Pattern FIELD = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}");
  private static final int MAX_SHUTDOWN_SECONDS = 3_600;
  private static final int MAX_WINDOW_SECONDS = 3_600;
  private static final int MAX_PUBLISHERS = 64;

  private final Map<Key, Value> values;
  private final List<Value> limits;
  private final List<String> problems;

  ConfigParser(Map<Key, Value> values, List<Value> limits, List<String> problems) {
    this.values = values;
    this.limits = limits;
    this.problems = problems;
  }

  /** The settings, or null if there was a problem. */
  @Nullable ServeSettings settings() {
    String host = parsed(Key.HOST, ConfigParser::loopback);
    Integer port = parsed(Key.PORT, text -> number(text, 0, 65_535));
    OwnHosts publicHosts = parsed(Key.PUBLIC_HOSTS, OwnHosts::parse);
    Dispatch dispatch = parsed(Key.DISPATCH, ConfigParser::dispatch);
    AdminPort adminPort = optional(Key.ADMIN_PORT, "none", ConfigParser::adminPort);
    Path data = parsed(Key.DATA, ConfigParser::folder);
    Durability durability = parsed(Key.DURABILITY, ConfigParser::durability);
    HistoryChoice history = history();
    HandlerChoice handlers = handlers();
    Long historyHeap = parsed(Key.HISTORY_HEAP, ConfigParser::size);
    BrokerChoice broker = parsed(Key.BROKER, BrokerChoice::of);
    Boolean standby = parsed(Key.BROKER_STANDBY, ConfigParser::yesOrNo);
    BindingChoice binding = binding();
    Integer seconds = parsed(Key.SHUTDOWN_TIMEOUT, text -> number(text, 0, MAX_SHUTDOWN_SECONDS));
    Integer window = parsed(Key.RESTART_WINDOW, text -> number(text, 1, MAX_WINDOW_SECONDS));
    Boolean bestEffort = parsed(Key.BEST_EFFORT, ConfigParser::yesOrNo);
    PlacementSettings placement = placement();
    Map<String, Integer> changed = limits();
    if (host == null
        || port == null
        || publicHosts == null
        || dispatch == null
        || data == null
        || durability == null
        || history == null
        || handlers == null
        || historyHeap == null
        || broker == null
        || binding == null
        || seconds == null
        || window == null
        || bestEffort == null
        || standby == null
        || placement == null) {
      return null;
    }
    return new ServeSettings(
        host,
        port,
        publicHosts,
        dispatch,
        adminPort,
        data.toAbsolutePath(),
        durability,
        history,
        historyHeap,
        broker,
        standby,
        binding,
        placement,
        Duration.ofSeconds(seconds),
        Duration.ofSeconds(window),
        bestEffort,
        List.of(text(Key.JVM_OPTIONS).strip().split("\\s+", -1)).stream()
            .filter(option -> !option.isEmpty())
            .toList(),
        optional(Key.READY_FILE, "", Path::of),
        optional(Key.TRUST, "", text -> Path.of(text).toAbsolutePath()),
        handlers,
        changed);
  }

  /** Treatment of callers and definitions; null if there was a problem. */
  private @Nullable BindingChoice binding() {
    String callers = word(Key.BROKER_CALLERS, CallerRule.labels());
    String header = parsed(Key.BROKER_CALLER_HEADER, ConfigParser::fieldName);
    String unserved = word(Key.BROKER_UNSERVED, UnservedRule.labels());
    String callback = parsed(Key.BROKER_CALLBACK_URL, ConfigParser::baseUri);
    String throttle = word(Key.BROKER_THROTTLE, ThrottleRule.labels());
    if (callers == null
        || header == null
        || unserved == null
        || callback == null
        || throttle == null) {
      return null;
    }
    if (!header.isEmpty() && callers.equals(CallerRule.LABEL.label())) {
      problems.add(
          "expected "
              + Key.BROKER_CALLERS.option()
              + " contract or contract-only beside "
              + Key.BROKER_CALLER_HEADER.option()
              + ", found label, which identifies no caller");
      return null;
    }
    return new BindingChoice(callers, header, unserved, callback, throttle);
  }

  private @Nullable String word(Key key, List<String> words) {
    return parsed(
        key,
        text -> {
          if (!words.contains(text)) {
            throw new IllegalArgumentException(
                "expected one of " + words + ", found \"" + text + "\"");
          }
          return text;
        });
  }

  private static String baseUri(String text) {
    if (!text.isEmpty() && !isBaseUri(text)) {
      throw new IllegalArgumentException(
          "expected an http or https URI with a host, without query, fragment and trailing slash,"
              + " such as https://engine.example, found \""
              + text
              + "\"");
    }
    return text;
  }

  private static boolean isBaseUri(String text) {
    try {
      URI uri = new URI(text);
      return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null
          && uri.getRawUserInfo() == null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null
          && !text.endsWith("/");
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static String fieldName(String text) {
    if (!text.isEmpty() && !FIELD.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "expected the name of a header field such as X-User, found \"" + text + "\"");
    }
    return text;
  }

  /** Sources of handlers; null if there was a problem. */
  private @Nullable HandlerChoice handlers() {
    Path documents = optional(Key.HANDLERS, "", text -> Path.of(text).toAbsolutePath());
    String nats = parsed(Key.HANDLERS_NATS, ConfigParser::nats);
    String path = parsed(Key.HANDLERS_PATH, ConfigParser::jars);
    if (nats == null || path == null) {
      return null;
    }
    if (!path.isEmpty() && text(Key.HANDLERS).isEmpty()) {
      problems.add(
          "expected chains (--handlers) that use the handlers of "
              + Key.HANDLERS_PATH.option()
              + ", found none");
      return null;
    }
    if (!nats.isEmpty() && text(Key.HANDLERS).isEmpty()) {
      problems.add(
          "expected chains (--handlers) whose handlers run in hosts behind "
              + Key.HANDLERS_NATS.option()
              + ", found none");
      return null;
    }
    return new HandlerChoice(documents == null ? "" : documents.toString(), nats, path);
  }

  private static String jars(String text) {
    List<String> jars = new ArrayList<>();
    for (String each : text.isEmpty() ? new String[0] : text.split(":", -1)) {
      Path jar = Path.of(each).toAbsolutePath();
      if (each.isEmpty() || !Files.isReadable(jar)) {
        throw new IllegalArgumentException(
            "expected jars or folders that can be read, with colons, found \"" + each + '"');
      }
      jars.add(jar.toString());
    }
    return String.join(":", jars);
  }

  private static String nats(String text) {
    for (String each : text.split(",", -1)) {
      if (!text.isEmpty() && !NATS.matcher(each).matches()) {
        throw new IllegalArgumentException(
            "expected NATS servers such as nats://127.0.0.1:4222 or tls://host, with commas, found"
                + " \""
                + HandlerChoice.withoutPasswords(each)
                + '"');
      }
    }
    return text;
  }

  private @Nullable PlacementSettings placement() {
    ReplicaPolicy replicas = parsed(Key.REPLICAS, ReplicaPolicy::parse);
    String layoutText = text(Key.LAYOUT);
    Layout layout = layoutText.equals("fused") ? null : optional(Key.LAYOUT, "auto", Layout::parse);
    Long heap = optional(Key.HEAP, "auto", ConfigParser::size);
    Waiting waiting = optional(Key.WAITING, "auto", Waiting::parse);
    Pinning pinning = parsed(Key.PINNING, Pinning::of);
    Integer systemCpus = optional(Key.SYSTEM_CPUS, "auto", text -> number(text, 0, CpuSet.MAX_CPU));
    return replicas == null || pinning == null
        ? null
        : new PlacementSettings(replicas, layout, heap, waiting, pinning, systemCpus);
  }

  private Map<String, Integer> limits() {
    Map<String, Integer> changed = new TreeMap<>();
    Integer publishers = optional(Key.PUBLISHERS, "auto", text -> number(text, 1, MAX_PUBLISHERS));
    if (publishers != null) {
      changed.put("publish.publishers", publishers);
    }
    for (Value value : limits) {
      for (String pair : value.text().split(",", -1)) {
        if (!pair.isBlank()) {
          addLimit(changed, pair.strip(), value.origin());
        }
      }
    }
    try {
      EngineLimits.defaults().with(changed);
    } catch (IllegalArgumentException e) {
      problems.add("limits: " + e.getMessage());
    }
    return changed;
  }

  private void addLimit(Map<String, Integer> changed, String pair, String origin) {
    int equals = pair.indexOf('=');
    try {
      if (equals > 0) {
        changed.put(
            pair.substring(0, equals).strip(), Integer.valueOf(pair.substring(equals + 1).strip()));
        return;
      }
    } catch (NumberFormatException ignored) {
      // continues with the message below
    }
    problems.add(
        origin + ": expected a limit such as kernel.maxCalls=1000, found \"" + pair + "\"");
  }

  private String text(Key key) {
    return Objects.requireNonNull(values.get(key), key.label()).text();
  }

  private <T> @Nullable T optional(Key key, String nothing, Function<String, T> parse) {
    return text(key).equals(nothing) ? null : parsed(key, parse);
  }

  private <T> @Nullable T parsed(Key key, Function<String, T> parse) {
    Value value = Objects.requireNonNull(values.get(key), key.label());
    try {
      return parse.apply(value.text());
    } catch (InvalidPathException e) {
      problems.add(value.origin() + ": expected a path, found \"" + value.text() + "\"");
    } catch (IllegalArgumentException e) {
      problems.add(value.origin() + ": " + e.getMessage());
    }
    return null;
  }

  private static Path folder(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException(
          "expected a folder for data, found none: pass %s DIR, or set %s, XDG_DATA_HOME or HOME to an absolute path"
              .formatted(Key.DATA.option(), Key.DATA.variable()));
    }
    return Path.of(text);
  }

  private static int number(String text, int least, int most) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException ignored) {
      // continues with the message below
    }
    throw new IllegalArgumentException(
        "expected a number from " + least + " to " + most + ", found \"" + text + "\"");
  }

  /** A dispatch that distributes requests over several replicas. */
  private static Dispatch dispatch(String text) {
    List<String> labels = Dispatch.labels().stream().filter(ConfigParser::severalReplicas).toList();
    if (labels.contains(text)) {
      return Dispatch.of(text);
    }
    throw new IllegalArgumentException("expected one of " + labels + ", found \"" + text + "\"");
  }

  private static boolean severalReplicas(String label) {
    return !label.equals(Dispatch.DIRECT.label()) && !label.equals(Dispatch.INHERITED.label());
  }

  private static Durability durability(String text) {
    return Durability.of(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "expected one of " + Durability.labels() + ", found \"" + text + "\""));
  }

  private @Nullable HistoryChoice history() {
    String database =
        parsed(
            Key.HISTORY,
            text -> {
              HistoryTarget.check(text);
              return text;
            });
    String user = parsed(Key.HISTORY_USER, ConfigParser::printable);
    String password = parsed(Key.HISTORY_PASSWORD, ConfigParser::printable);
    SinkPolicy sinks = parsed(Key.SINKS, SinkPolicy::parse);
    return database == null || user == null || password == null || sinks == null
        ? null
        : new HistoryChoice(database, user, password, sinks.toString());
  }

  /** An invalid value is not shown: it may be a password. */
  private static String printable(String text) {
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("expected a text without control characters, found some");
    }
    return text;
  }

  private static AdminPort adminPort(String text) {
    return text.equals("auto") ? AdminPort.AUTO : new AdminPort(number(text, 0, 65_535), false);
  }

  private static boolean yesOrNo(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException("expected true or false, found \"" + text + "\"");
    };
  }

  private static long size(String text) {
    Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "expected a size such as 512m or 2g, found \"" + text + "\"");
    }
    int shift =
        switch (matcher.group(2)) {
          case "k" -> 10;
          case "m" -> 20;
          case "g" -> 30;
          default -> 0;
        };
    return Long.parseLong(matcher.group(1)) << shift;
  }

  /** Accepts numeric loopback addresses and localhost; no name server is consulted. */
  private static String loopback(String text) {
    boolean numeric = text.matches("[0-9.]+|[0-9a-fA-F:]+");
    try {
      if (text.equals("localhost")
          || (numeric && InetAddress.getByName(text).isLoopbackAddress())) {
        return text;
      }
    } catch (UnknownHostException ignored) {
      // continues with the message below
    }
    throw new IllegalArgumentException(
        "expected a loopback address, found \""
            + text
            + "\": serving others needs authentication, which is not there yet");
  }
}
