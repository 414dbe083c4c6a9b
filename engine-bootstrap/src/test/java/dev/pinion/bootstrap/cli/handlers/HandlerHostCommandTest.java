package dev.pinion.bootstrap.cli.handlers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.PinionMain;
import dev.pinion.bootstrap.cli.ExitStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases that {@code handler-host} refuses before it connects to anything. */
class HandlerHostCommandTest {
  private static final String NOWHERE = "nats://127.0.0.1:1";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return PinionMain.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  @Test
  void shouldSayHowItIsCalled() {
    assertEquals(ExitStatus.OK, run("handler-host", "--help"));

    assertTrue(out.toString().startsWith("Usage: pinion handler-host "), out.toString());
    assertTrue(out.toString().contains("--nats-credentials"), out.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "--handlers=jwtt, 'expected a kind of handlers, found \"jwtt\"'",
    "--handlers=notify, 'that runs without an engine, found \"notify\"; let the engine run it'",
    "--workers=257, 'from 1 to 256 workers (the window of the host), found 257'",
    "--workers=0, 'from 1 to 256 workers'",
    "--window=0, 'expected handlers.remote.hostWindow from 1'",
    "--set=handlers.remote.hostHandlers=0, 'expected handlers.remote.hostHandlers from 1'",
    "--set=handlers.remote.hostwindow=9, 'handlers.remote.hostWindow'",
    "--set=handlers.remote.hostWindow=x, 'is not an int'",
    "--prefix=a..b, 'expected a prefix of subjects such as pinion.handlers'",
    "--drain-timeout=-1, 'a drain timeout of at least 0 s'",
    "--health-interval=0, 'a health interval of at least 1 s'",
    "--nonsense, 'nonsense'"
  })
  void shouldRefuseWrongUsage(String option, String told) {
    assertEquals(ExitStatus.USAGE, run("handler-host", "--nats", NOWHERE, option), err::toString);
    assertTrue(err.toString().contains(told), err.toString());
    assertTrue(err.toString().startsWith("pinion handler-host: "), err.toString());
  }

  @Test
  void shouldAskForAServer() {
    assertEquals(ExitStatus.USAGE, run("handler-host", "--nats", ":/:"));
    assertTrue(err.toString().contains("expected addresses of servers"), err.toString());
    err.getBuffer().setLength(0);
    assertEquals(ExitStatus.USAGE, run("handler-host"));
    assertTrue(err.toString().contains("expected NATS servers (--nats"), err.toString());
  }

  @ParameterizedTest
  @CsvSource({"--handlers-path", "--nats-credentials", "--nats-trust"})
  void shouldNameAFileThatIsNotThere(String option) {
    assertEquals(
        ExitStatus.NO_INPUT, run("handler-host", "--nats", NOWHERE, option, "/no/such/file"));
    assertTrue(err.toString().contains("/no/such/file"), err.toString());
  }
}
