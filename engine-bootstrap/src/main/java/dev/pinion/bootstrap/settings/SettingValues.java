package dev.pinion.bootstrap.settings;

import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.settings.StageLayout;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks of the texts of settings. Each throws {@link IllegalArgumentException} with one sentence
 * that says what is expected; a text that may be a password is not part of it.
 */
public final class SettingValues {
  /** No history, as a value of {@code history}. */
  public static final String NO_HISTORY = "none";

  /** An embedded database below the data directory, as a value of {@code history}. */
  public static final String EMBEDDED_HISTORY = "sqlite";

  private static final String POSTGRESQL = "jdbc:postgresql:";
  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([kmg]?)");
  private static final Pattern NATS = Pattern.compile("(nats|tls|wss?)://[\\x21-\\x7E]{1,255}");
  private static final Pattern FIELD = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}");

  private SettingValues() {}

  /** A word of a list. */
  static <T> T choice(String text, Function<String, Optional<T>> of, List<String> words) {
    return of.apply(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "expected one of " + words + ", found \"" + text + "\""));
  }

  /** A check that takes one word for no value. */
  static <T> Function<String, Optional<T>> unless(String nothing, Function<String, T> check) {
    return text -> text.equals(nothing) ? Optional.empty() : Optional.of(check.apply(text));
  }

  /** A file or folder. */
  static Path path(String text) {
    return Path.of(text).toAbsolutePath();
  }

  /** A time in seconds. */
  static Duration seconds(String text, int least, int most) {
    return Duration.ofSeconds(number(text, least, most));
  }

  /** Words separated by spaces. */
  static List<String> words(String text) {
    return List.of(text.strip().split("\\s+", -1)).stream()
        .filter(word -> !word.isEmpty())
        .toList();
  }

  /** Event loops of each replica; empty where the plan decides. */
  static Optional<StageLayout> layout(String text) {
    return text.equals("auto") || text.equals("fused")
        ? Optional.empty()
        : Optional.of(StageLayout.parse(text));
  }

  /** Numbers by name, such as {@code kernel-0=2,request-0=1}; empty for none. */
  static Map<String, Integer> numbers(String text) {
    Map<String, Integer> numbers = new TreeMap<>();
    for (String each : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      int equals = each.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            "expected numbers by name such as kernel-0=2, found \"" + each + '"');
      }
      numbers.put(
          each.substring(0, equals),
          number(each.substring(equals + 1), Integer.MIN_VALUE, Integer.MAX_VALUE));
    }
    return numbers;
  }

  /** The text of {@link #numbers}. */
  public static String text(Map<String, Integer> numbers) {
    return new TreeMap<>(numbers)
        .entrySet().stream()
            .map(each -> each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining(","));
  }

  /** A text without the part between {@code //} and {@code @}. */
  public static String withoutPasswords(String text) {
    return text.replaceAll("//[^/@\\s]*@", "//");
  }

  /** The address of this engine for services; may be empty. */
  static String baseUri(String text) {
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

  /** A header field; may be empty. */
  static String fieldName(String text) {
    if (!text.isEmpty() && !FIELD.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "expected the name of a header field such as X-User, found \"" + text + "\"");
    }
    return text;
  }

  /** Jars and folders that can be read, separated by colons. */
  static Set<Program.Kind> programs(String text) {
    Set<Program.Kind> kinds = EnumSet.noneOf(Program.Kind.class);
    for (String word : words(text.replace(',', ' '))) {
      kinds.add(
          Stream.of(Program.Kind.values())
              .filter(kind -> kind.word().equals(word))
              .findFirst()
              .orElseThrow(() -> unknownProgram(word)));
    }
    return kinds;
  }

  private static IllegalArgumentException unknownProgram(String word) {
    List<String> known = Stream.of(Program.Kind.values()).map(Program.Kind::word).toList();
    String suggestion = SpellingSuggestion.of(word, known);
    return new IllegalArgumentException(
        "expected kinds of programs ("
            + String.join(", ", known)
            + "), separated by commas, found \""
            + word
            + '"'
            + (suggestion == null ? "" : "; did you mean \"" + suggestion + "\"?"));
  }

  static List<Path> jars(String text) {
    List<Path> jars = new ArrayList<>();
    for (String each : text.isEmpty() ? new String[0] : text.split(":", -1)) {
      Path jar = Path.of(each).toAbsolutePath();
      if (each.isEmpty() || !Files.isReadable(jar)) {
        throw new IllegalArgumentException(
            "expected jars or folders that can be read, with colons, found \"" + each + '"');
      }
      jars.add(jar);
    }
    return List.copyOf(jars);
  }

  /** NATS servers, perhaps with passwords; may be empty. */
  static String nats(String text) {
    for (String each : text.split(",", -1)) {
      if (!text.isEmpty() && !NATS.matcher(each).matches()) {
        throw new IllegalArgumentException(
            "expected NATS servers such as nats://127.0.0.1:4222 or tls://host, with commas, found"
                + " \""
                + withoutPasswords(each)
                + '"');
      }
    }
    return text;
  }

  /** The data directory. */
  static Path folder(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException(
          "expected a folder for data, found none: pass --data DIR, or set PINION_DATA,"
              + " XDG_DATA_HOME or HOME to an absolute path");
    }
    return path(text);
  }

  /** A number within bounds. */
  static int number(String text, int least, int most) {
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
  static DispatchMode dispatch(String text) {
    List<String> labels =
        DispatchMode.labels().stream().filter(SettingValues::severalReplicas).toList();
    if (labels.contains(text)) {
      return DispatchMode.of(text);
    }
    throw new IllegalArgumentException("expected one of " + labels + ", found \"" + text + "\"");
  }

  private static boolean severalReplicas(String label) {
    return !label.equals(DispatchMode.DIRECT.label())
        && !label.equals(DispatchMode.INHERITED.label());
  }

  /** The database of the history: none, an embedded one, or a URL without credentials. */
  public static String historyDatabase(String setting) {
    if (setting.equals(NO_HISTORY) || setting.equals(EMBEDDED_HISTORY)) {
      return setting;
    }
    if (!setting.startsWith(POSTGRESQL)) {
      throw new IllegalArgumentException(
          "expected none, sqlite or a URL that begins with " + POSTGRESQL + ", found another one");
    }
    if (setting.matches(".*[?&](user|password)=.*") || setting.matches(".*//[^/]*@.*")) {
      throw new IllegalArgumentException(
          "expected a URL without credentials, which belong into PINION_HISTORY_USER and"
              + " PINION_HISTORY_PASSWORD, found some in it");
    }
    return setting;
  }

  /** A text that may be a password. */
  static String printable(String text) {
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("expected a text without control characters, found some");
    }
    return text;
  }

  /** The port for operators. */
  static AdminPort adminPort(String text) {
    return text.equals("auto") ? AdminPort.AUTO : new AdminPort(number(text, 0, 65_535), false);
  }

  /** A truth value. */
  static boolean bool(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException("expected true or false, found \"" + text + "\"");
    };
  }

  /** A number of bytes such as 512m. */
  static long size(String text) {
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
  static String loopback(String text) {
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
