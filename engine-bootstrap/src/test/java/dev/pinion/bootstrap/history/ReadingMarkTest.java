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

/** Field fault 3: where the process ended is known to its successor. */
class ReadingMarkTest {
  @TempDir Path folder;

  private ReadingMark open() throws IOException {
    return ReadingMark.open(folder.resolve("history").resolve("reading-0"));
  }

  /** Field fault 19. */
  @Test
  void shouldNotMakeADataFolderThatIsGone() throws IOException {
    Path history = folder.resolve("data").resolve("history");
    PassedOver left = PassedOver.read(history.resolve("passed-over-0"));

    assertThrows(NoSuchFileException.class, () -> ReadingMark.open(history.resolve("reading-0")));
    assertThrows(
        NoSuchFileException.class, () -> left.add(new InstanceId(7), "broken", Instant.EPOCH));

    assertFalse(Files.exists(folder.resolve("data")));
  }

  @Test
  void shouldCountEndsInTheMiddleOnly() throws IOException {
    ReadingMark first = open();
    assertEquals(0, first.deaths());
    first.reads(7);
    first.rests();
    ReadingMark second = open();
    assertEquals(0, second.deaths(), "ended while it waited");
    second.reads(7);
    second.close();
    ReadingMark third = open();
    assertEquals(0, third.deaths(), "ended when it was told to");
    third.reads(7);
    third.waits();
    ReadingMark fourth = open();
    assertEquals(0, fourth.deaths(), "ended while it waited for the database");
    fourth.reads(7);
    assertEquals(1, open().deaths());
  }

  @Test
  void shouldFindTheInstanceAtWhichItEndsAgainAndAgain() throws IOException {
    open().reads(7);
    open().reads(8);
    open().reads(7);
    open().reads(7);
    ReadingMark twice = open();
    assertFalse(twice.isDeadly());
    assertEquals(7, twice.lastDeath());
    assertEquals(4, twice.deaths());
    twice.reads(7);

    ReadingMark thrice = open();

    assertTrue(thrice.isDeadly());
    thrice.isSound();
    assertFalse(thrice.isDeadly());
    assertEquals(0, open().deaths());
  }

  @Test
  void shouldForgetEndsOnceItHasReadFurther() throws IOException {
    open().reads(7);
    ReadingMark mark = open();
    for (int i = 100; i < 299; i++) {
      mark.reads(i);
      mark.rests();
    }
    assertEquals(1, mark.deaths());
    mark.reads(300);
    mark.rests();
    assertEquals(0, mark.deaths());
  }
}
