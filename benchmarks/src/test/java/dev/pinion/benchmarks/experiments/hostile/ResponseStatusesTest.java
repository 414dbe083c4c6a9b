package dev.pinion.benchmarks.experiments.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ResponseStatusesTest {
  @Test
  void shouldReadNoStatusFromNothing() {
    assertEquals(List.of(), ResponseStatuses.statuses(""));
  }

  @Test
  void shouldReadEveryAnswerByItsLengthAndSkipInterimOnes() {
    String received =
        "HTTP/1.1 100 Continue\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nHTTP/1.1 500"
            + "HTTP/1.1 204 No Content\r\n\r\n"
            + "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n";

    assertEquals(List.of(200, 204, 400), ResponseStatuses.statuses(received));
  }

  @Test
  void shouldTakeAllThatFollowsForABodyWithoutLength() {
    assertEquals(
        List.of(400), ResponseStatuses.statuses("HTTP/1.0 400 x\r\n\r\nHTTP/1.1 500 y\r\n\r\n"));
  }

  @Test
  void shouldReadTheStatusOfAnAnswerThatWasCutOff() {
    assertEquals(List.of(413), ResponseStatuses.statuses("HTTP/1.1 413 x\r\ncontent-le"));
    assertEquals(
        List.of(413), ResponseStatuses.statuses("HTTP/1.1 413 x\r\ncontent-length: 9\r\n\r\n{"));
  }

  @Test
  void shouldRefuseWhatIsNoAnswer() {
    assertThrows(
        IllegalArgumentException.class, () -> ResponseStatuses.statuses("garbage\r\n\r\n"));
  }
}
