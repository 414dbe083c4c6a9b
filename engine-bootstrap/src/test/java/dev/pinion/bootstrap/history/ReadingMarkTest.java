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
class ReadingMarkTest {
  @TempDir Path folder;

  private ReadingMark open() throws IOException {
    return open(true);
  }

  private ReadingMark open(boolean failed) throws IOException {
    return ReadingMark.open(folder.resolve("history").resolve("reading-0"), failed);
  }

  /** Field fault 19. */
  @Test
  void shouldNotMakeADataFolderThatIsGone() throws IOException {
    Path history = folder.resolve("data").resolve("history");
    PassedOver left = PassedOver.read(history.resolve("passed-over-0"));

    assertThrows(
        NoSuchFileException.class, () -> ReadingMark.open(history.resolve("reading-0"), false));
    assertThrows(
        NoSuchFileException.class, () -> left.add(new InstanceId(7), "broken", Instant.EPOCH));

    assertFalse(Files.exists(folder.resolve("data")));
  }

  @Test
  void shouldCountEndsInTheMiddleOnly() throws IOException {
    ReadingMark first = open();
    assertEquals(0, first.ends());
    first.reads(7);
    first.rests();
    ReadingMark second = open();
    assertEquals(0, second.ends(), "ended while it waited");
    second.reads(7);
    second.close();
    ReadingMark third = open();
    assertEquals(0, third.ends(), "ended when it was told to");
    third.reads(7);
    third.waits();
    ReadingMark fourth = open();
    assertEquals(0, fourth.ends(), "ended while it waited for the database");
    fourth.reads(7);
    assertEquals(1, open().ends());
  }

  @Test
  void shouldFindTheInstanceAtWhichItEndsAgainAndAgain() throws IOException {
    open().reads(7);
    open().reads(8);
    open().reads(7);
    open().reads(7);
    ReadingMark twice = open();
    assertFalse(twice.isDeadly());
    assertEquals(7, twice.failedAt());
    assertEquals(4, twice.ends());
    twice.reads(7);

    ReadingMark thrice = open();

    assertTrue(thrice.isDeadly());
    thrice.isSound();
    assertFalse(thrice.isDeadly());
    assertEquals(0, open().ends());
  }

  /** Field fault 3: external kills lead to small steps, and never to an omitted instance. */
  @Test
  void shouldNotHoldKillsAgainstAnInstance() throws IOException {
    open(false).reads(7);
    for (int kills = 1; kills <= 2 * ReadingMark.MAX_FAILURES; kills++) {
      ReadingMark mark = open(false);
      assertFalse(mark.isDeadly());
      assertEquals(kills, mark.ends());
      assertEquals(0, mark.failures());
      mark.reads(7);
    }
    for (int failures = 1; failures < ReadingMark.MAX_FAILURES; failures++) {
      ReadingMark mark = open(true);
      assertFalse(mark.isDeadly());
      assertEquals(failures, mark.failures());
      mark.reads(7);
      open(false).reads(8); // a kill at another one meanwhile
      open(false).reads(7);
    }
    assertTrue(open(true).isDeadly());
  }

  @Test
  void shouldForgetEndsOnceItHasReadFurther() throws IOException {
    open().reads(7);
    ReadingMark mark = open();
    for (int i = 100; i < 299; i++) {
      mark.reads(i);
      mark.rests();
    }
    assertEquals(1, mark.ends());
    mark.reads(300);
    mark.rests();
    assertEquals(0, mark.ends());
  }
}
