package dev.pinion.bootstrap.settings;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A sink of emitted events. Immutable.
 *
 * @param name its name, under which its progress is kept
 * @param typePrefix begin of the types of its events; empty for all
 * @param uri where events are sent to
 */
public record EventSinkSpec(String name, String typePrefix, URI uri) {
  private static final Pattern ENTRY =
      Pattern.compile("([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?::([^=,\\s]+))?=(\\S+)");

  /**
   * Sinks as {@code NAME=URL,NAME:TYPES=URL}, where TYPES is the begin of the types of events.
   *
   * @throws IllegalArgumentException when the text is none; the message says what is expected
   */
  public static List<EventSinkSpec> parse(String text) {
    List<EventSinkSpec> sinks = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String entry : text.isBlank() ? new String[0] : text.split(",", -1)) {
      EventSinkSpec sink = entry(entry.strip());
      if (!names.add(sink.name)) {
        throw new IllegalArgumentException(
            "expected each name of a sink once, found \"" + sink.name + "\" again");
      }
      sinks.add(sink);
    }
    return List.copyOf(sinks);
  }

  private static EventSinkSpec entry(String entry) {
    Matcher parts = ENTRY.matcher(entry);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "expected NAME=URL or NAME:TYPES=URL with a name of a-z, 0-9 and inner hyphens, found \""
              + entry
              + "\"");
    }
    return new EventSinkSpec(
        parts.group(1), parts.group(2) == null ? "" : parts.group(2), uri(parts.group(3)));
  }

  private static URI uri(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("expected a URL, found \"" + text + "\"", e);
    }
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    boolean isHttp = scheme.equals("http") || scheme.equals("https");
    if (!isHttp || uri.getHost() == null || uri.getFragment() != null) {
      throw new IllegalArgumentException(
          "expected an http or https URL with a host and without fragment, found \"" + text + "\"");
    }
    if (uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "expected a URL without credentials, found some for " + uri.getHost());
    }
    return uri;
  }

  /** The sink as in the setting. */
  @Override
  public String toString() {
    return name + (typePrefix.isEmpty() ? "" : ":" + typePrefix) + "=" + uri;
  }
}
