package dev.pinion.bootstrap.settings;

import dev.pinion.bootstrap.history.DatabaseTarget;
import dev.pinion.bootstrap.history.publish.SinkPolicy;
import dev.pinion.bootstrap.placement.IdleStrategies;
import dev.pinion.bootstrap.placement.LoopLayout;
import dev.pinion.bootstrap.placement.Pinning;
import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.bootstrap.placement.ReplicaPolicy;
import dev.pinion.bootstrap.protocol.BindingSettings;
import dev.pinion.bootstrap.protocol.BrokerMode;
import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.bootstrap.protocol.HandlerSettings;
import dev.pinion.bootstrap.protocol.HistorySettings;
import dev.pinion.bootstrap.settings.SettingsLoader.Value;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.core.binding.CallerRule;
import dev.pinion.core.binding.ThrottleRule;
import dev.pinion.core.binding.UnservedRule;
import dev.pinion.core.http.AllowedHosts;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Durability;
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
final class SettingsParser {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([kmg]?)");
  private static final Pattern NATS = Pattern.compile("(nats|tls|wss?)://[\\x21-\\x7E]{1,255}");
  private static final Pattern FIELD = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}");
  private static final int MAX_SHUTDOWN_SECONDS = 3_600;
  private static final int MAX_WINDOW_SECONDS = 3_600;
  private static final int MAX_PUBLISHERS = 64;

  private final Map<SettingKey, Value> values;
  private final List<Value> limits;
  private final List<String> problems;

  SettingsParser(Map<SettingKey, Value> values, List<Value> limits, List<String> problems) {
    this.values = values;
    this.limits = limits;
    this.problems = problems;
  }

  /** The settings, or null if there was a problem. */
  @Nullable ServeSettings settings() {
    String host = parsed(SettingKey.HOST, SettingsParser::loopback);
    Integer port = parsed(SettingKey.PORT, text -> number(text, 0, 65_535));
    AllowedHosts publicHosts = parsed(SettingKey.PUBLIC_HOSTS, AllowedHosts::parse);
    DispatchMode dispatchMode = parsed(SettingKey.DISPATCH, SettingsParser::dispatch);
    AdminPort adminPort = optional(SettingKey.ADMIN_PORT, "none", SettingsParser::adminPort);
    Path data = parsed(SettingKey.DATA, SettingsParser::folder);
    Durability durability = parsed(SettingKey.DURABILITY, SettingsParser::durability);
    HistorySettings history = history();
    HandlerSettings handlers = handlers();
    Long historyHeap = parsed(SettingKey.HISTORY_HEAP, SettingsParser::size);
    BrokerMode broker = parsed(SettingKey.BROKER, BrokerMode::of);
    Boolean standby = parsed(SettingKey.BROKER_STANDBY, SettingsParser::yesOrNo);
    BindingSettings binding = binding();
    Integer seconds =
        parsed(SettingKey.SHUTDOWN_TIMEOUT, text -> number(text, 0, MAX_SHUTDOWN_SECONDS));
    Integer window = parsed(SettingKey.RESTART_WINDOW, text -> number(text, 1, MAX_WINDOW_SECONDS));
    Boolean bestEffort = parsed(SettingKey.BEST_EFFORT, SettingsParser::yesOrNo);
    PlacementSettings placement = placement();
    Map<String, Integer> changed = limits();
    if (host == null
        || port == null
        || publicHosts == null
        || dispatchMode == null
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
        dispatchMode,
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
        List.of(text(SettingKey.JVM_OPTIONS).strip().split("\\s+", -1)).stream()
            .filter(option -> !option.isEmpty())
            .toList(),
        optional(SettingKey.READY_FILE, "", Path::of),
        optional(SettingKey.TRUST, "", text -> Path.of(text).toAbsolutePath()),
        handlers,
        changed);
  }

  /** Treatment of callers and definitions; null if there was a problem. */
  private @Nullable BindingSettings binding() {
    String callers = word(SettingKey.BROKER_CALLERS, CallerRule.labels());
    String header = parsed(SettingKey.BROKER_CALLER_HEADER, SettingsParser::fieldName);
    String unserved = word(SettingKey.BROKER_UNSERVED, UnservedRule.labels());
    String callback = parsed(SettingKey.BROKER_CALLBACK_URL, SettingsParser::baseUri);
    String throttle = word(SettingKey.BROKER_THROTTLE, ThrottleRule.labels());
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
              + SettingKey.BROKER_CALLERS.option()
              + " contract or contract-only beside "
              + SettingKey.BROKER_CALLER_HEADER.option()
              + ", found label, which identifies no caller");
      return null;
    }
    return new BindingSettings(callers, header, unserved, callback, throttle);
  }

  private @Nullable String word(SettingKey settingKey, List<String> words) {
    return parsed(
        settingKey,
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
  private @Nullable HandlerSettings handlers() {
    Path documents = optional(SettingKey.HANDLERS, "", text -> Path.of(text).toAbsolutePath());
    String nats = parsed(SettingKey.HANDLERS_NATS, SettingsParser::nats);
    String path = parsed(SettingKey.HANDLERS_PATH, SettingsParser::jars);
    if (nats == null || path == null) {
      return null;
    }
    if (!path.isEmpty() && text(SettingKey.HANDLERS).isEmpty()) {
      problems.add(
          "expected chains (--handlers) that use the handlers of "
              + SettingKey.HANDLERS_PATH.option()
              + ", found none");
      return null;
    }
    if (!nats.isEmpty() && text(SettingKey.HANDLERS).isEmpty()) {
      problems.add(
          "expected chains (--handlers) whose handlers run in hosts behind "
              + SettingKey.HANDLERS_NATS.option()
              + ", found none");
      return null;
    }
    return new HandlerSettings(documents == null ? "" : documents.toString(), nats, path);
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
                + HandlerSettings.withoutPasswords(each)
                + '"');
      }
    }
    return text;
  }

  private @Nullable PlacementSettings placement() {
    ReplicaPolicy replicas = parsed(SettingKey.REPLICAS, ReplicaPolicy::parse);
    String layoutText = text(SettingKey.LAYOUT);
    LoopLayout loopLayout =
        layoutText.equals("fused") ? null : optional(SettingKey.LAYOUT, "auto", LoopLayout::parse);
    Long heap = optional(SettingKey.HEAP, "auto", SettingsParser::size);
    IdleStrategies idleStrategies = optional(SettingKey.WAITING, "auto", IdleStrategies::parse);
    Pinning pinning = parsed(SettingKey.PINNING, Pinning::of);
    Integer systemCpus =
        optional(SettingKey.SYSTEM_CPUS, "auto", text -> number(text, 0, CpuSet.MAX_CPU));
    return replicas == null || pinning == null
        ? null
        : new PlacementSettings(replicas, loopLayout, heap, idleStrategies, pinning, systemCpus);
  }

  private Map<String, Integer> limits() {
    Map<String, Integer> changed = new TreeMap<>();
    Integer publishers =
        optional(SettingKey.PUBLISHERS, "auto", text -> number(text, 1, MAX_PUBLISHERS));
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

  private String text(SettingKey settingKey) {
    return Objects.requireNonNull(values.get(settingKey), settingKey.label()).text();
  }

  private <T> @Nullable T optional(
      SettingKey settingKey, String nothing, Function<String, T> parse) {
    return text(settingKey).equals(nothing) ? null : parsed(settingKey, parse);
  }

  private <T> @Nullable T parsed(SettingKey settingKey, Function<String, T> parse) {
    Value value = Objects.requireNonNull(values.get(settingKey), settingKey.label());
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
              .formatted(SettingKey.DATA.option(), SettingKey.DATA.variable()));
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
  private static DispatchMode dispatch(String text) {
    List<String> labels =
        DispatchMode.labels().stream().filter(SettingsParser::severalReplicas).toList();
    if (labels.contains(text)) {
      return DispatchMode.of(text);
    }
    throw new IllegalArgumentException("expected one of " + labels + ", found \"" + text + "\"");
  }

  private static boolean severalReplicas(String label) {
    return !label.equals(DispatchMode.DIRECT.label())
        && !label.equals(DispatchMode.INHERITED.label());
  }

  private static Durability durability(String text) {
    return Durability.of(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "expected one of " + Durability.labels() + ", found \"" + text + "\""));
  }

  private @Nullable HistorySettings history() {
    String database =
        parsed(
            SettingKey.HISTORY,
            text -> {
              DatabaseTarget.check(text);
              return text;
            });
    String user = parsed(SettingKey.HISTORY_USER, SettingsParser::printable);
    String password = parsed(SettingKey.HISTORY_PASSWORD, SettingsParser::printable);
    SinkPolicy sinks = parsed(SettingKey.SINKS, SinkPolicy::parse);
    return database == null || user == null || password == null || sinks == null
        ? null
        : new HistorySettings(database, user, password, sinks.toString());
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
