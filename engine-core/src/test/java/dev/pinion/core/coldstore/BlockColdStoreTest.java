package dev.pinion.core.coldstore;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

// Field fault 1: values that wait long are kept off the heap.
class BlockColdStoreTest {
  private static final int SEGMENT = BlockColdStore.SEGMENT_BYTES;

  @TempDir Path folder;

  @Test
  void shouldGiveBackWhatWasPutWhateverComesAndGoes() {
    long seed = 20_261_126;
    Random random = new Random(seed);
    ColdStore store = inMemory(4L * SEGMENT);
    Map<Long, byte[]> expected = new HashMap<>();
    List<Long> handles = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      if (handles.size() > 200 || (!handles.isEmpty() && random.nextInt(3) == 0)) {
        long handle = handles.remove(random.nextInt(handles.size()));
        assertArrayEquals(expected.remove(handle), store.get(handle), "seed " + seed);
        store.free(handle);
      } else {
        byte[] bytes = new byte[random.nextInt(random.nextInt(8) == 0 ? 200_000 : 9_000)];
        random.nextBytes(bytes);
        long handle = store.put(bytes);
        assertTrue(handle >= 0, "room");
        expected.put(handle, bytes);
        handles.add(handle);
      }
    }
    for (long handle : handles) {
      assertArrayEquals(expected.get(handle), store.get(handle), "seed " + seed);
      store.free(handle);
    }
    assertEquals(0, store.usedBytes());
  }

  @Test
  void shouldRefuseWhatFindsNoRoomAndTakeItWhenThereIsRoomAgain() {
    ColdStore store = inMemory(SEGMENT);
    byte[] most = new byte[SEGMENT / 4096 * 4092 - 4];
    long all = store.put(most);
    assertTrue(all >= 0);
    assertEquals(0, store.freeBytes());
    assertEquals(ColdStore.NO_ROOM, store.put(new byte[1]));
    store.free(all);
    assertEquals(ColdStore.NO_ROOM, store.put(new byte[most.length + 1]));
    assertTrue(store.put(most) >= 0);
  }

  @Test
  void shouldLeaveNoRoomUnusedBetweenValuesOfOtherSizes() {
    ColdStore store = inMemory(SEGMENT);
    List<Long> small = new ArrayList<>();
    while (store.freeBytes() > 0) {
      small.add(store.put(new byte[100]));
    }
    for (int i = 0; i < small.size(); i += 2) {
      store.free(small.get(i));
    }
    assertTrue(store.put(new byte[SEGMENT / 2 - 8_192]) >= 0);
  }

  @Test
  void shouldAskForRoomAndNeverMakeItItself() {
    ColdSegments segments = ColdSegments.onDisk(folder.resolve("cold"), 2L * SEGMENT, 0);
    Queue<Runnable> asked = new ArrayDeque<>();
    segments.onWanted(() -> asked.add(segments::make));
    ColdStore store = new BlockColdStore(segments);
    assertEquals(ColdStore.NO_ROOM, store.put(new byte[10]));
    assertEquals(ColdStore.NO_ROOM, store.put(new byte[10]));
    assertEquals(1, asked.size(), "asked once");
    asked.remove().run();
    long handle = store.put(new byte[] {1, 2, 3});
    assertArrayEquals(new byte[] {1, 2, 3}, store.get(handle));
    assertTrue(asked.isEmpty());
    store.put(new byte[SEGMENT / 2]);
    assertEquals(1, asked.size(), "the next one is asked for ahead");
  }

  @Test
  void shouldLeaveNoFileBehind() throws IOException {
    Path file = folder.resolve("cold");
    Files.writeString(file, "left by a crash");
    ColdStore store = new BlockColdStore(ColdSegments.onDisk(file, SEGMENT, 0));
    assertTrue(store.put(new byte[100_000]) >= 0);
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(), files.toList());
    }
  }

  @Test
  void shouldLeaveTheDiskToTheJournal() {
    ColdStore store =
        new BlockColdStore(
            ColdSegments.onDisk(folder.resolve("cold"), SEGMENT, Long.MAX_VALUE / 2));
    assertEquals(ColdStore.NO_ROOM, store.put(new byte[1]));
  }

  @Test
  void shouldTakeLongValuesIntoTheSmallFilesOfASmallVolume() {
    ColdStore store =
        new BlockColdStore(ColdSegments.onDisk(folder.resolve("cold"), 4L << 20, 0, 64L << 20));
    byte[] value = new byte[3 << 20];
    new Random(1).nextBytes(value);
    long handle = store.put(value);
    assertArrayEquals(value, store.get(handle));
    assertTrue(store.freeBytes() < 1L << 20, "free: " + store.freeBytes());
  }

  @Test
  void shouldRefuseHandlesThatItNeverGave() {
    ColdStore store = inMemory(SEGMENT);
    store.put(new byte[1]);
    assertThrows(IllegalArgumentException.class, () -> store.get(7L << 32 | 7));
    assertThrows(IllegalArgumentException.class, () -> store.get(ColdStore.NO_ROOM));
    assertThrows(IllegalArgumentException.class, () -> ColdStore.NONE.get(0));
  }

  private static ColdStore inMemory(long maxBytes) {
    return new BlockColdStore(ColdSegments.inMemory(maxBytes));
  }
}
