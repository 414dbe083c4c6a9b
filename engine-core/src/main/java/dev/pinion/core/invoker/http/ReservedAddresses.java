package dev.pinion.core.invoker.http;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Addresses that the engine must not call on behalf of a user, who may not be allowed to call them
 * (server-side request forgery). Addresses of IPv4 within IPv6 (mapped, compatible, 6to4, NAT64)
 * count as those of IPv4. Any thread.
 */
public final class ReservedAddresses {
  /** Description of these addresses, for messages. */
  public static final String KINDS = "link-local, multicast, reserved or a cloud's own";

  /**
   * This network, link-local, multicast, reserved; addresses of clouds' services for their guests.
   */
  private static final List<AddressRange> RESERVED =
      ranges(
          "0.0.0.0/8",
          "169.254.0.0/16",
          "224.0.0.0/3",
          "100.100.100.200/32",
          "168.63.129.16/32",
          "192.0.0.192/32",
          "::/128",
          "fe80::/10",
          "ff00::/8",
          "fd00:ec2::/32", // Amazon
          "fd20:ce::254/128", // Google
          "fd00:42::42/128", // Scaleway
          "fd00:c1::a9fe:a9fe/128", // Oracle
          "2001::/32",
          "64:ff9b:1::/48");

  /** This machine and networks that cannot be reached from outside. */
  private static final List<AddressRange> PRIVATE =
      ranges(
          "127.0.0.0/8",
          "10.0.0.0/8",
          "172.16.0.0/12",
          "192.168.0.0/16",
          "100.64.0.0/10",
          "192.0.0.0/24",
          "198.18.0.0/15",
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
    return isIn(RESERVED, meant(address));
  }

  /** Whether an address belongs to this machine or a private network. */
  public static boolean isPrivate(InetAddress address) {
    return isIn(PRIVATE, meant(address));
  }

  private static boolean isIn(List<AddressRange> ranges, InetAddress address) {
    return ranges.stream().anyMatch(addressRange -> addressRange.contains(address));
  }

  /** The address of IPv4 within one of IPv6, or the address itself. */
  private static InetAddress meant(InetAddress address) {
    if (!(address instanceof Inet6Address)) {
      return address;
    }
    byte[] bytes = address.getAddress();
    int first = (bytes[0] & 0xff) << 8 | (bytes[1] & 0xff);
    boolean translated = first == 0x64 && (bytes[2] & 0xff) == 0xff && (bytes[3] & 0xff) == 0x9b;
    boolean empty = allZero(bytes, 4, 12);
    if (first == 0x2002) { // 6to4
      return v4(bytes, 2);
    }
    boolean compatible = first == 0 && allZero(bytes, 2, 12) && !allZero(bytes, 12, 15);
    return (translated && empty) || compatible ? v4(bytes, 12) : address;
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
