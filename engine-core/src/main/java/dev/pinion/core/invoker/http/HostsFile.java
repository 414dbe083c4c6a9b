package dev.pinion.core.invoker.http;

import io.netty.resolver.HostsFileEntriesProvider;
import java.io.File;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Names in the system's hosts file. While names are looked up, the file is checked at most once a
 * second, and read again when it has changed. Single-threaded.
 */
public final class HostsFile {
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final File file;
  private Map<String, List<InetAddress>> v4 = Map.of();
  private Map<String, List<InetAddress>> v6 = Map.of();
  private boolean looked;
  private long lookedNanos;
  private long modified;
  private long length;

  public HostsFile(File file) {
    this.file = file;
  }

  /** The file of this system. */
  static HostsFile ofSystem() {
    String windows = System.getenv("SystemRoot");
    return new HostsFile(
        windows == null ? new File("/etc/hosts") : new File(windows, "system32/drivers/etc/hosts"));
  }

  /**
   * The addresses of a name, those of IPv6 first; empty when the file does not contain it.
   *
   * @param nowNanos monotonic time
   */
  public List<InetAddress> addresses(String name, long nowNanos) {
    if (!looked || nowNanos - lookedNanos >= LOOK_NANOS) {
      look();
      looked = true;
      lookedNanos = nowNanos;
    }
    String key = name.toLowerCase(Locale.ENGLISH);
    List<InetAddress> found = new ArrayList<>(v6.getOrDefault(key, List.of()));
    found.addAll(v4.getOrDefault(key, List.of()));
    return found;
  }

  private void look() {
    long modifiedNow = file.lastModified();
    long lengthNow = file.length();
    if (looked && modifiedNow == modified && lengthNow == length) {
      return;
    }
    modified = modifiedNow;
    length = lengthNow;
    HostsFileEntriesProvider entries =
        HostsFileEntriesProvider.parser().parseSilently(file, StandardCharsets.UTF_8);
    v4 = entries.ipv4Entries();
    v6 = entries.ipv6Entries();
  }
}
