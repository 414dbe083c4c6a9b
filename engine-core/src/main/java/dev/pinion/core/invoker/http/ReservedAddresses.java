package dev.pinion.core.invoker.http;

import dev.pinion.core.limits.InvokerLimits;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Addresses that the engine must not call on behalf of a user, who may not be allowed to call them
 * (server-side request forgery). An address of IPv6 that stands for one of IPv4 (mapped,
 * compatible, translated, 6to4, NAT64, ISATAP) counts as both. Any thread.
 */
public final class ReservedAddresses {
  /** Description of these addresses, for messages. */
  public static final String KINDS = "link-local, multicast, reserved or a cloud's own";

  /** Link-local addresses, and those of clouds' services for their guests: always closed. */
  private static final List<AddressRange> CLOSED =
      ranges(
          "169.254.0.0/16",
          "100.100.100.200/32",
          "168.63.129.16/32",
          "192.0.0.192/32",
          "fe80::/10",
          "fd00:ec2::/32", // Amazon
          "fd20:ce::254/128", // Google
          "fd00:42::42/128", // Scaleway
          "fd00:c1::a9fe:a9fe/128"); // Oracle

  /** This network, multicast, reserved. */
  private static final List<AddressRange> RESERVED =
      ranges("0.0.0.0/8", "224.0.0.0/3", "::/128", "ff00::/8", "2001::/32", "64:ff9b:1::/48");

  /** This machine and networks that cannot be reached from outside. */
  private static final List<AddressRange> PRIVATE =
      ranges(
          "0.0.0.0/8", // Linux takes it for this machine
          "127.0.0.0/8",
          "10.0.0.0/8",
          "172.16.0.0/12",
          "192.168.0.0/16",
          "100.64.0.0/10",
          "192.0.0.0/24",
          "198.18.0.0/15",
          "::/128",
          "::1/128",
          "fc00::/7",
          "fec0::/10");

  private ReservedAddresses() {}

  /** Addresses that begin with the same bits. */
  private record AddressRange(InetAddress first, int bits) {
    boolean contains(InetAddress address) {
      byte[] own = first.getAddress();
      byte[] other = address.getAddress();
      if (own.length != other.length) {
        return false;
      }
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >> (bit & 7);
        if ((own[bit >> 3] & mask) != (other[bit >> 3] & mask)) {
          return false;
        }
      }
      return true;
    }
  }

  private static List<AddressRange> ranges(String... texts) {
    List<AddressRange> ranges = new ArrayList<>();
    for (String each : texts) {
      int slash = each.indexOf('/');
      try {
        ranges.add(
            new AddressRange(
                InetAddress.getByName(each.substring(0, slash)),
                Integer.parseInt(each.substring(slash + 1))));
      } catch (UnknownHostException e) {
        throw new IllegalStateException(each, e);
      }
    }
    return List.copyOf(ranges);
  }

  /** Whether an address is link-local, multicast, reserved or internal to a cloud. */
  public static boolean isReserved(InetAddress address) {
    return isIn(CLOSED, address) || isIn(RESERVED, address);
  }

  /** Whether an address belongs to this machine or a private network. */
  public static boolean isPrivate(InetAddress address) {
    return isIn(PRIVATE, address);
  }

  /** What an address is to which calls may not go, for messages; null for others. */
  public static @Nullable String refusal(InetAddress address, InvokerLimits limits) {
    if (isIn(CLOSED, address)) {
      return "link-local or a cloud's own, which is never called";
    }
    if (limits.reservedAddresses() == 0 && isIn(RESERVED, address)) {
      return "multicast or reserved; invoker.reservedAddresses=1 allows that";
    }
    if (limits.privateAddresses() == 0 && isPrivate(address)) {
      return "of this machine or of a private network; invoker.privateAddresses=1 allows that";
    }
    return null;
  }

  /**
   * The problem of a host none of whose addresses may be called.
   *
   * @param refusal the {@linkplain #refusal refusal} of one of them
   */
  public static String problem(String host, String refusal) {
    return "expected a call of an address of a network, found "
        + host
        + " at one that is "
        + refusal;
  }

  private static boolean isIn(List<AddressRange> ranges, InetAddress address) {
    InetAddress inner = inner(address);
    return ranges.stream()
        .anyMatch(each -> each.contains(address) || (inner != null && each.contains(inner)));
  }

  /** The address of IPv4 for which one of IPv6 stands; null for others. */
  private static @Nullable InetAddress inner(InetAddress address) {
    if (!(address instanceof Inet6Address)) {
      return null;
    }
    byte[] bytes = address.getAddress();
    if (group(bytes, 0) == 0x2002) { // 6to4
      return v4(bytes, 2);
    }
    boolean mapped = allZero(bytes, 0, 10) && group(bytes, 10) == 0xffff;
    boolean compatible = allZero(bytes, 0, 12) && !allZero(bytes, 12, 15);
    boolean translated = allZero(bytes, 0, 8) && group(bytes, 8) == 0xffff && group(bytes, 10) == 0;
    boolean nat64 =
        group(bytes, 0) == 0x64
            && group(bytes, 2) == 0xff9b
            && (group(bytes, 4) == 1 || allZero(bytes, 4, 12));
    boolean isatap = (group(bytes, 8) & 0xfdff) == 0 && group(bytes, 10) == 0x5efe;
    return mapped || compatible || translated || nat64 || isatap ? v4(bytes, 12) : null;
  }

  private static int group(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
  }

  private static boolean allZero(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private static InetAddress v4(byte[] bytes, int from) {
    try {
      return Inet4Address.getByAddress(Arrays.copyOfRange(bytes, from, from + 4));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("expected four bytes", e);
    }
  }
}
