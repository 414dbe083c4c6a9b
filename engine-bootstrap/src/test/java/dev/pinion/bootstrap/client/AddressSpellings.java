package dev.pinion.bootstrap.client;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The ways to write an address into the authority of a URI: those of which some client makes the
 * address. None of them is a name that a name server would be asked for.
 */
final class AddressSpellings {
  /** How one number of an address is written. */
  private static final List<UnaryOperator<String>> RADICES =
      List.of(
          number -> number,
          number -> "0" + Long.toOctalString(Long.parseLong(number)),
          number -> "0x" + Long.toHexString(Long.parseLong(number)));

  private static final String FULL_WIDTH_ZERO = "\uff10";

  private AddressSpellings() {}

  /** Spellings of link-local and metadata addresses. */
  static List<String> ofClosed() {
    Set<String> all = new LinkedHashSet<>();
    for (String each : List.of("169.254.169.254", "100.100.100.200")) {
      all.addAll(of(each));
    }
    for (String each :
        List.of(
            "fe80::1",
            "FE80::0001",
            "febf:0:0:0:0:0:0:1",
            "fe80::a9fe:a9fe",
            "fd00:ec2::254",
            "FD00:0EC2::254",
            "fd00:ec2:0:0:0:0:0:254",
            "fd00:0ec2:0000:0000:0000:0000:0000:0254",
            "fd00:ec2::0.0.2.84",
            "fd20:ce::254",
            "fd00:42::42",
            "fd00:c1::a9fe:a9fe",
            "fd00:c1::169.254.169.254")) {
      all.addAll(bracketed(each));
    }
    return List.copyOf(all);
  }

  /** Spellings of an address of IPv4. */
  static List<String> of(String address) {
    List<Long> parts = new ArrayList<>();
    for (String part : address.split("\\.", -1)) {
      parts.add(Long.parseLong(part));
    }
    Set<String> all = new LinkedHashSet<>();
    all.add(address);
    for (int numbers = 4; numbers >= 1; numbers--) {
      addInRadices(joined(parts, numbers), "", all);
    }
    addOtherNumbers(parts, all);
    addWithOtherCharacters(address, all);
    addWithUserInformation(address, all);
    for (String each : inIpv6(address, parts)) {
      all.addAll(bracketed(each));
    }
    return List.copyOf(all);
  }

  /** The numbers of a short form: the last one has the rest of the bytes. */
  private static List<String> joined(List<Long> parts, int numbers) {
    List<String> joined = new ArrayList<>();
    long rest = 0;
    for (int i = 0; i < parts.size(); i++) {
      if (i < numbers - 1) {
        joined.add(Long.toString(parts.get(i)));
      } else {
        rest = rest << 8 | parts.get(i);
      }
    }
    joined.add(Long.toString(rest));
    return joined;
  }

  private static void addInRadices(List<String> numbers, String before, Set<String> all) {
    for (UnaryOperator<String> radix : RADICES) {
      String written = before + radix.apply(numbers.getFirst());
      if (numbers.size() == 1) {
        all.add(written);
      } else {
        addInRadices(numbers.subList(1, numbers.size()), written + ".", all);
      }
    }
  }

  private static void addOtherNumbers(List<Long> parts, Set<String> all) {
    long whole = Long.parseLong(joined(parts, 1).getFirst());
    String hex = Long.toHexString(whole);
    all.add("0X" + hex.toUpperCase(Locale.ROOT));
    all.add("0x00000000" + hex);
    all.add("00000" + Long.toOctalString(whole));
    all.add(Long.toString(whole + (1L << 32)));
    all.add(whole + ".");
    all.add("0x" + hex + ".");
    List<String> padded = new ArrayList<>();
    List<String> beyond = new ArrayList<>();
    for (long part : parts) {
      padded.add("00" + part);
      beyond.add(Long.toString(part + 256));
    }
    all.add(String.join(".", padded));
    all.add(String.join(".", beyond));
  }

  private static void addWithOtherCharacters(String address, Set<String> all) {
    StringBuilder wide = new StringBuilder();
    StringBuilder encoded = new StringBuilder();
    for (int i = 0; i < address.length(); i++) {
      char each = address.charAt(i);
      wide.append(each == '.' ? each : (char) (FULL_WIDTH_ZERO.charAt(0) + each - '0'));
      encoded.append(each == '.' ? "." : "%3" + each);
    }
    all.add(wide.toString());
    all.add(encoded.toString());
    for (String dot : List.of("%2e", "%2E", "\u3002", "\uff0e", "\uff61", ".\u200b", ".\u00ad")) {
      all.add(address.replace(".", dot));
    }
    all.add(address.replaceFirst("1", "\u2460"));
    for (String end : List.of(".", "%00", "%2f", "%20", " ", "\\", ":80:80", ":080a")) {
      all.add(address + end);
    }
    all.add(" " + address);
  }

  private static void addWithUserInformation(String address, Set<String> all) {
    for (String before :
        List.of("@", "user@", "user:word@", "example.com@", "example.com:80@", "example.com%40")) {
      all.add(before + address);
    }
    all.add("example.com\\@" + address);
    all.add(address + "\\@example.com");
    all.add("example.com&@" + address);
  }

  private static List<String> inIpv6(String address, List<Long> parts) {
    String groups =
        Long.toHexString(parts.get(0) << 8 | parts.get(1))
            + ":"
            + Long.toHexString(parts.get(2) << 8 | parts.get(3));
    return List.of(
        "::ffff:" + address,
        "::FFFF:" + groups.toUpperCase(Locale.ROOT),
        "0:0:0:0:0:ffff:" + groups,
        "0000:0000:0000:0000:0000:ffff:" + groups,
        "0:0:0:0:0:ffff:" + address,
        "::" + address,
        "::" + groups,
        "0:0:0:0:0:0:" + groups,
        "::ffff:0:" + groups,
        "64:ff9b::" + groups,
        "64:ff9b::" + address,
        "64:ff9b:1::" + groups,
        "64:ff9b:1:7:8:9:" + groups,
        "2002:" + groups + "::",
        "2002:" + groups + "::1",
        "2002:" + groups + ":1:2:3:4:5",
        "2606:4700::5efe:" + groups,
        "2606:4700::200:5efe:" + groups);
  }

  private static List<String> bracketed(String address) {
    return List.of(
        "[" + address + "]",
        "[" + address + "%25lo]",
        "[" + address + "%eth0]",
        "[" + address + "%1]",
        "%5b" + address + "%5d");
  }
}
