package dev.pinion.core.journal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Changes every file of a stopped log in every way: each change is refused, naming a file, or does
 * not affect the replay.
 */
class DamageTest {
  private int refused;
  private int harmless;
  private final TreeMap<String, Integer> harmlessKinds = new TreeMap<>();

  /** A change of a directory. */
  private record Mutation(String kind, String what, Consumer<SimulatedStorage> change) {}

  @Test
  void shouldNoticeEveryChangeAfterACleanStop() throws IOException {
    SimulatedStorage disk = new SimulatedStorage();
    Scenario scenario = new Scenario(disk);
    scenario.run();

    mutateAll(disk, scenario.ledger, true);
  }

  @Test
  void shouldNoticeEveryChangeAfterAKill() throws IOException {
    SimulatedStorage disk = new SimulatedStorage();
    Scenario scenario = new Scenario(disk);
    scenario.runUntilKilled();

    mutateAll(disk, scenario.ledger, false);
  }

  private void mutateAll(SimulatedStorage disk, Ledger ledger, boolean clean) throws IOException {
    List<String> whole = replayed(disk.copy());
    assertTrue(whole.size() >= ledger.acknowledged);
    for (Mutation mutation : mutations(disk)) {
      try {
        check(disk.copy(), mutation, whole, ledger.acknowledged, clean);
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError(mutation.kind + " " + mutation.what + ": " + e.getMessage(), e);
      }
    }
    System.out.printf(
        "%s stop: %d changes, %d refused, %d harmless %s%n",
        clean ? "clean" : "killed", refused + harmless, refused, harmless, harmlessKinds);
    assertTrue(refused > 200, "refused " + refused);
  }

  private void check(
      SimulatedStorage disk, Mutation mutation, List<String> whole, int acknowledged, boolean clean)
      throws IOException {
    mutation.change.accept(disk);
    SimulatedStorage before = disk.copy();
    List<String> found;
    try {
      found = replayed(disk);
    } catch (JournalDamagedException | JournalFormatException e) {
      refused++;
      assertTrue(String.valueOf(e.getMessage()).contains("disk/"), e.getMessage());
      checkUntouched(before, disk);
      checkToldByVerification(before);
      return;
    }
    assertEquals(whole.subList(0, found.size()), found);
    assertTrue(found.size() >= (clean ? whole.size() : acknowledged), found.size() + " records");
    harmless++;
    harmlessKinds.merge(mutation.kind, 1, Integer::sum);
    assertEquals(found, replayed(disk), "opened again");
  }

  private static void checkUntouched(SimulatedStorage before, SimulatedStorage after) {
    assertEquals(before.list(), after.list());
    for (String name : before.list()) {
      assertTrue(Arrays.equals(before.content(name), after.content(name)), name);
    }
  }

  private static void checkToldByVerification(SimulatedStorage disk) throws IOException {
    try {
      assertFalse(JournalVerification.run(disk).isSound());
    } catch (JournalFormatException e) {
      assertTrue(String.valueOf(e.getMessage()).contains(LogFileNames.FORMAT), e.getMessage());
    }
  }

  private static List<String> replayed(SimulatedStorage disk) throws IOException {
    RecordLog log = RecordLog.open(disk, Ledger.settings(Scenario.BOUNDS));
    List<String> payloads = Ledger.replayed(log);
    log.close();
    return payloads;
  }

  private static List<Mutation> mutations(SimulatedStorage disk) {
    List<Mutation> all = new ArrayList<>();
    List<String> names = disk.list();
    for (String name : names) {
      byte[] content = disk.content(name);
      flips(all, name, content);
      lengths(all, name, content);
      sectors(all, name, content);
      all.add(new Mutation("delete", name, each -> each.remove(name)));
      for (String other : names) {
        if (other.compareTo(name) > 0) {
          all.add(new Mutation("swap", name + " and " + other, each -> swap(each, name, other)));
        }
        if (!other.equals(name)) {
          all.add(new Mutation("replace", other + " by " + name, each -> each.put(other, content)));
        }
      }
      for (String other : copies(name)) {
        if (!names.contains(other)) {
          all.add(
              new Mutation("duplicate", name + " as " + other, each -> each.put(other, content)));
        }
      }
    }
    return all;
  }

  private static List<String> copies(String name) {
    long number = LogFileNames.segmentNumber(name);
    long position = LogFileNames.snapshotPosition(name);
    if (number > 0) {
      return List.of(
          LogFileNames.segment(number + 1),
          LogFileNames.segment(number + 3),
          "1.segment",
          name + ".bak");
    }
    if (position > 0) {
      return List.of(LogFileNames.snapshot(position + 1), LogFileNames.snapshot(position - 1));
    }
    return List.of(name + ".old");
  }

  private static void flips(List<Mutation> all, String name, byte[] content) {
    int step = name.equals(LogFileNames.FORMAT) ? 1 : 19;
    for (int offset = 0; offset < content.length; offset += step) {
      int at = offset;
      int bit = offset % 8;
      all.add(
          new Mutation(
              "flip",
              name + " at " + at,
              each -> {
                byte[] changed = content.clone();
                changed[at] ^= (byte) (1 << bit);
                each.put(name, changed);
              }));
    }
  }

  private static void lengths(List<Mutation> all, String name, byte[] content) {
    for (int length :
        new int[] {
          0,
          1,
          511,
          512,
          520,
          content.length / 2,
          content.length - 1,
          content.length + 1,
          content.length + 512
        }) {
      if (length >= 0 && length != content.length && length < content.length + 600) {
        all.add(
            new Mutation(
                "length",
                name + " of " + content.length + " to " + length,
                each -> each.put(name, Arrays.copyOf(content, length))));
      }
    }
  }

  /** Zeroes, repeats and exchanges sectors within a file. */
  private static void sectors(List<Mutation> all, String name, byte[] content) {
    int size = SimulatedFile.SECTOR;
    for (int begin = 0; begin + 2 * size <= content.length; begin += size) {
      byte[] zeroed = content.clone();
      Arrays.fill(zeroed, begin, begin + size, (byte) 0);
      all.add(new Mutation("zero", name + " at " + begin, each -> each.put(name, zeroed)));
      byte[] repeated = content.clone();
      System.arraycopy(content, begin, repeated, begin + size, size);
      all.add(new Mutation("repeat", name + " at " + begin, each -> each.put(name, repeated)));
      byte[] exchanged = repeated.clone();
      System.arraycopy(content, begin + size, exchanged, begin, size);
      all.add(new Mutation("exchange", name + " at " + begin, each -> each.put(name, exchanged)));
    }
  }

  private static void swap(SimulatedStorage disk, String first, String second) {
    byte[] content = disk.content(first);
    disk.put(first, disk.content(second));
    disk.put(second, content);
  }
}
