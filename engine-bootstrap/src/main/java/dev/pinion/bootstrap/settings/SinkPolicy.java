package dev.pinion.bootstrap.settings;

import dev.pinion.core.invoker.http.ReservedAddresses;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Permitted destinations of results, so that a subscriber cannot make the engine send requests that
 * the subscriber could not send (server-side request forgery). Resolved addresses are checked, and
 * IPv4 addresses embedded in IPv6 count as IPv4. Immutable; for any thread.
 */
public final class SinkPolicy {
  /** Any host, at addresses that are neither link-local nor of the cloud's own services. */
  public static final String GUARDED = "guarded";

  /** The same, without addresses of this machine and of private networks. */
  public static final String PUBLIC = "public";

  /** The default policy. */
  public static final SinkPolicy DEFAULT = new SinkPolicy(false, List.of(), GUARDED);

  private static final Pattern PLACE =
      Pattern.compile(
          "(?:(https?)://)?((?:\\*\\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\\[[0-9a-f:.]+])"
              + "(?::([0-9]{1,5}))?");

  private final boolean publicOnly;
  private final List<AllowedHost> places;
  private final String text;

  private SinkPolicy(boolean publicOnly, List<AllowedHost> places, String text) {
    this.publicOnly = publicOnly;
    this.places = List.copyOf(places);
    this.text = text;
  }

  /** A sink that is not allowed; the message has the reason. */
  public static final class ForbiddenSinkException extends Exception {
    private static final long serialVersionUID = 1;

    ForbiddenSinkException(String message) {
      super(message);
    }
  }

  /**
   * An allowed host.
   *
   * @param scheme its scheme, or null for both
   * @param host its name in lower case; every host below it when it begins with {@code *.}
   * @param port its port, or -1 for every one
   */
  private record AllowedHost(@Nullable String scheme, String host, int port) {
    boolean holds(String ofScheme, String ofHost, int ofPort) {
      boolean named =
          host.startsWith("*.") ? ofHost.endsWith(host.substring(1)) : host.equals(ofHost);
      return named && (scheme == null || scheme.equals(ofScheme)) && (port < 0 || port == ofPort);
    }
  }

  /**
   * A policy.
   *
   * @param text {@value #GUARDED}, {@value #PUBLIC}, or the allowed hosts, separated by commas:
   *     each a name, {@code *.} and a name, or an address (IPv6 in brackets), optionally after
   *     {@code http://} or {@code https://} and before {@code :} and a port
   * @throws IllegalArgumentException when it is none of these; the message says what is expected
   */
  public static SinkPolicy parse(String text) {
    if (text.equals(GUARDED) || text.equals(PUBLIC)) {
      return new SinkPolicy(text.equals(PUBLIC), List.of(), text);
    }
    List<AllowedHost> places = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      Matcher place = PLACE.matcher(each.strip().toLowerCase(Locale.ROOT));
      int port = place.matches() && place.group(3) != null ? Integer.parseInt(place.group(3)) : -1;
      if (!place.matches() || port == 0 || port > 0xffff) {
        throw new IllegalArgumentException(
            "expected "
                + GUARDED
                + ", "
                + PUBLIC
                + " or hosts such as example.com, *.example.com or https://example.com:8443, with"
                + " commas, found \""
                + each
                + '"');
      }
      places.add(new AllowedHost(place.group(1), Objects.requireNonNull(place.group(2)), port));
    }
    return new SinkPolicy(false, places, text);
  }

  /**
   * Checks a sink without resolving the host's address.
   *
   * @param sink an http or https URL with a host
   */
  public void check(URI sink) throws ForbiddenSinkException {
    String scheme = sink.getScheme().toLowerCase(Locale.ROOT);
    String host = host(sink);
    int port = sink.getPort() >= 0 ? sink.getPort() : scheme.equals("https") ? 443 : 80;
    if (!places.isEmpty() && places.stream().noneMatch(each -> each.holds(scheme, host, port))) {
      throw new ForbiddenSinkException(
          "expected a sink at a host that --sinks allows, found " + host + ':' + port);
    }
    if (isAddress(host)) {
      try {
        check(host, InetAddress.getByName(host)); // resolves nothing
      } catch (UnknownHostException e) {
        throw new ForbiddenSinkException("expected an address or a name of a host, found " + host);
      }
    }
  }

  /**
   * The permitted addresses of a request, all of them checked, at least one.
   *
   * @throws UnknownHostException when it has none
   */
  public List<InetAddress> addresses(URI sink) throws ForbiddenSinkException, UnknownHostException {
    check(sink);
    String host = host(sink);
    InetAddress[] all = InetAddress.getAllByName(host);
    for (InetAddress each : all) {
      check(host, each); // one forbidden address disqualifies the name
    }
    return List.of(all);
  }

  private static String host(URI sink) {
    String host = Objects.requireNonNull(sink.getHost()).toLowerCase(Locale.ROOT);
    return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }

  private static boolean isAddress(String host) {
    return host.startsWith("[") || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
  }

  private void check(String host, InetAddress address) throws ForbiddenSinkException {
    boolean forbidden = ReservedAddresses.isReserved(address);
    if (forbidden || (publicOnly && ReservedAddresses.isPrivate(address))) {
      throw new ForbiddenSinkException(
          "expected a sink at "
              + (publicOnly ? "a public address" : "an address of a network")
              + " (--sinks "
              + text
              + "), found "
              + host
              + (forbidden
                  ? " at one that is " + ReservedAddresses.KINDS
                  : " at one of this machine or of a private network"));
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
