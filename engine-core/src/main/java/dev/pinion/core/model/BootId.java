package dev.pinion.core.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Name of the present boot of the machine, as far as its monotonic clock is concerned: Linux gives
 * every boot an id, and a time namespace shifts the clock (proc(5), time_namespaces(7)).
 */
final class BootId {
  private static final Path ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path SHIFT = Path.of("/proc/self/timens_offsets");

  private BootId() {}

  /** The name; on other systems than Linux, one that no other process has. */
  static String name() {
    try {
      return Files.readString(ID).strip() + shift();
    } catch (IOException e) {
      return UUID.randomUUID().toString();
    }
  }

  private static String shift() {
    try {
      return " " + Files.readString(SHIFT).strip().replaceAll("\\s+", " ");
    } catch (IOException e) {
      return ""; // a kernel without time namespaces
    }
  }
}
