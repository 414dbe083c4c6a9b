package dev.pinion.core.http;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names and addresses under which clients may call this engine.
 *
 * <p>A page of some site can give its own name the address of this machine (DNS rebinding); the
 * browser then takes the engine for that site and lets the page read every response. Only the
 * {@code Host} field shows this. Names and addresses of loopback always belong to the engine, at
 * any port, since a port may be forwarded; others are listed by the setting {@code --public-hosts}.
 * Immutable; any thread.
 */
public final class AllowedHosts {
  /** Names and addresses of loopback alone. */
  public static final AllowedHosts LOOPBACK = new AllowedHosts(List.of(), "");

  private static final Pattern AUTHORITY =
      Pattern.compile(
          "(?<host>\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._~!$&'()*+,;=%-]+?)\\.?(?::(?<port>[0-9]{0,5}))?");
  private static final Pattern NAME =
      Pattern.compile("(?:\\*\\.)?[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?|\\[.*]");
  private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])";
  private static final Pattern LOOPBACK_V4 =
      Pattern.compile("127\\.%1$s\\.%1$s\\.%1$s".formatted(OCTET));
  private static final int MAX_PORT = 65_535;

  private final List<Authority> listed;
  private final String text;

  private AllowedHosts(List<Authority> listed, String text) {
    this.listed = List.copyOf(listed);
    this.text = text;
  }

  /**
   * A host with an optional port (RFC 3986 section 3.2).
   *
   * @param host in lower case, without the dot of the root; an address of IPv6 in its longest form
   * @param port -1 when there is none
   */
  private record Authority(String host, int port) {
    static @Nullable Authority parse(String text) {
      Matcher matcher = AUTHORITY.matcher(text);
      if (!matcher.matches()) {
        return null;
      }
      String digits = matcher.group("port");
      int port = digits == null || digits.isEmpty() ? -1 : Integer.parseInt(digits);
      String host = normalized(matcher.group("host").toLowerCase(Locale.ROOT));
      return host == null || port > MAX_PORT ? null : new Authority(host, port);
    }

    private static @Nullable String normalized(String host) {
      if (!host.startsWith("[")) {
        return host;
      }
      try {
        InetAddress address = InetAddress.getByName(host); // an address: needs no name server
        String written = address.getHostAddress();
        return written.contains(":") ? "[" + written + "]" : written;
      } catch (UnknownHostException e) {
        return null;
      }
    }

    boolean isLoopback() {
      return host.equals("localhost")
          || host.endsWith(".localhost") // RFC 6761 section 6.3
          || host.equals("[0:0:0:0:0:0:0:1]")
          || LOOPBACK_V4.matcher(host).matches();
    }

    /** Whether this entry of the list names another authority. */
    boolean names(Authority other) {
      boolean same =
          host.startsWith("*.") ? other.host.endsWith(host.substring(1)) : host.equals(other.host);
      return same && (port < 0 || port == other.port);
    }

    int portOr(int otherwise) {
      return port < 0 ? otherwise : port;
    }
  }

  /**
   * Loopback, and the hosts of a setting.
   *
   * @param text hosts with commas: names, names below a name such as {@code *.example.org}, or
   *     addresses (of IPv6 in brackets), each with an optional {@code :} and the only valid port;
   *     empty for none
   * @throws IllegalArgumentException when the text is invalid; the message says what was expected
   */
  public static AllowedHosts parse(String text) {
    List<Authority> listed = new ArrayList<>();
    for (String each : text.isBlank() ? new String[0] : text.split(",", -1)) {
      Authority authority = Authority.parse(each.strip());
      if (authority == null || authority.port == 0 || !NAME.matcher(authority.host).matches()) {
        throw new IllegalArgumentException(
            "expected hosts such as engine.example, *.example.org, 10.0.0.7:8443 or [2001:db8::1],"
                + " with commas and without scheme, found \""
                + each.strip()
                + "\"");
      }
      listed.add(authority);
    }
    return new AllowedHosts(listed, text.strip());
  }

  /** A copy with the host of a URI of the engine. */
  public AllowedHosts with(URI known) {
    String host = known.getHost();
    return host == null ? this : parse(text.isEmpty() ? host : text + "," + host);
  }

  /**
   * Whether a request is for this engine.
   *
   * @param authority authority in its {@code Host} field or its target
   */
  public boolean contains(String authority) {
    Authority asked = Authority.parse(authority);
    return asked != null
        && (asked.isLoopback() || listed.stream().anyMatch(each -> each.names(asked)));
  }

  /**
   * Whether a page of an origin belongs to the host that it calls (RFC 6454): same host and same
   * port. The scheme gives missing ports their default; otherwise it does not count, since a proxy
   * in front of the engine may speak https.
   *
   * @param origin value of an {@code Origin} field
   * @param host value of the request's {@code Host} field
   */
  public static boolean isOriginOf(String origin, String host) {
    String lower = origin.toLowerCase(Locale.ROOT);
    boolean secure = lower.startsWith("https://");
    if (!secure && !lower.startsWith("http://")) {
      return false;
    }
    Authority from = Authority.parse(lower.substring(secure ? 8 : 7));
    Authority to = Authority.parse(host);
    int usual = secure ? 443 : 80;
    return from != null
        && to != null
        && from.host.equals(to.host)
        && from.portOr(usual) == to.portOr(usual);
  }

  /** The hosts beside loopback, as the setting lists them. */
  @Override
  public String toString() {
    return text;
  }
}
