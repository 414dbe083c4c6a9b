package dev.pinion.bootstrap.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.InstanceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Field fault 3: the successor of a process knows where it ended. */
class CrashMarkTest {
  @TempDir Path folder;

  private CrashMark open() throws IOException {
    return open(true);
  }

  private CrashMark open(boolean failed) throws IOException {
    return CrashMark.open(folder.resolve("history").resolve("reading-0"), failed);
  }

  /** Field fault 19. */
  @Test
  void shouldNotMakeADataFolderThatIsGone() throws IOException {
    Path history = folder.resolve("data").resolve("history");
    SkippedInstances left = SkippedInstances.read(history.resolve("passed-over-0"));

    assertThrows(
        NoSuchFileException.class, () -> CrashMark.open(history.resolve("reading-0"), false));
    assertThrows(
        NoSuchFileException.class, () -> left.add(new InstanceId(7), "broken", Instant.EPOCH));

    assertFalse(Files.exists(folder.resolve("data")));
  }

  @Test
  void shouldCountEndsInTheMiddleOnly() throws IOException {
    CrashMark first = open();
    assertEquals(0, first.ends());
    first.started(7);
    first.committed();
    CrashMark second = open();
    assertEquals(0, second.ends(), "ended while it waited");
    second.started(7);
    second.close();
    CrashMark third = open();
    assertEquals(0, third.ends(), "ended when it was told to");
    third.started(7);
    third.paused();
    CrashMark fourth = open();
    assertEquals(0, fourth.ends(), "ended while it waited for the database");
    fourth.started(7);
    assertEquals(1, open().ends());
  }

  @Test
  void shouldFindTheInstanceAtWhichItEndsAgainAndAgain() throws IOException {
    open().started(7);
    open().started(8);
    open().started(7);
    open().started(7);
    CrashMark twice = open();
    assertFalse(twice.isOverLimit());
    assertEquals(7, twice.failedAt());
    assertEquals(4, twice.ends());
    twice.started(7);

    CrashMark thrice = open();

    assertTrue(thrice.isOverLimit());
    thrice.reset();
    assertFalse(thrice.isOverLimit());
    assertEquals(0, open().ends());
  }

  /** Field fault 3: external kills lead to small steps, and never to an omitted instance. */
  @Test
  void shouldNotHoldKillsAgainstAnInstance() throws IOException {
    open(false).started(7);
    for (int kills = 1; kills <= 2 * CrashMark.MAX_FAILURES; kills++) {
      CrashMark mark = open(false);
      assertFalse(mark.isOverLimit());
      assertEquals(kills, mark.ends());
      assertEquals(0, mark.failures());
      mark.started(7);
    }
    for (int failures = 1; failures < CrashMark.MAX_FAILURES; failures++) {
      CrashMark mark = open(true);
      assertFalse(mark.isOverLimit());
      assertEquals(failures, mark.failures());
      mark.started(7);
      open(false).started(8); // a kill at another one meanwhile
      open(false).started(7);
    }
    assertTrue(open(true).isOverLimit());
  }

  @Test
  void shouldForgetEndsOnceItHasReadFurther() throws IOException {
    open().started(7);
    CrashMark mark = open();
    for (int i = 100; i < 299; i++) {
      mark.started(i);
      mark.committed();
    }
    assertEquals(1, mark.ends());
    mark.started(300);
    mark.committed();
    assertEquals(0, mark.ends());
  }
}
