package dev.pinion.bootstrap.supervise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.process.ReplicaStarter;
import dev.pinion.bootstrap.protocol.ProfileRequest;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two fake processes. */
class BrokerSupervisorTest {
  private static final ProfileRequest ORDER = new ProfileRequest(5, 7, Path.of("/tmp/own"));

  @TempDir private Path folder;
  private final FakeChild one = new FakeChild(4711);
  private final FakeChild other = new FakeChild(4712);
  private final List<String> warnings = new ArrayList<>();
  private BrokerSupervisor keeper = new BrokerSupervisor(List.of(), warnings::add);

  @BeforeEach
  void open() {
    keeper =
        new BrokerSupervisor(
            List.of(
                new BrokerSupervisor.BrokerSpec(folder.resolve("native"), one::start),
                new BrokerSupervisor.BrokerSpec(folder.resolve("native-standby"), other::start)),
            warnings::add);
  }

  @AfterEach
  void close() {
    keeper.close();
  }

  @Test
  void shouldHaveTheOneThatDecidesProfileItself() {
    keeper.start();
    one.says(BrokerSupervisor.STANDBY);
    other.says(BrokerSupervisor.PLAN + " 3 optimal");

    assertTrue(keeper.profile(ORDER));

    assertEquals(List.of(), one.heard);
    assertEquals(List.of(ORDER.line()), other.heard);
    assertEquals(
        new BrokerSupervisor.BrokerStatus(
            4712, 4711, 2, new BrokerSupervisor.PlanStatus(3, "optimal"), true),
        keeper.status());
  }

  @Test
  void shouldHaveTheOneThatHasSaidNothingYetProfileItself() {
    keeper.start();
    one.says(BrokerSupervisor.STANDBY);

    assertTrue(keeper.profile(ORDER));

    assertEquals(List.of(), one.heard);
    assertEquals(List.of(ORDER.line()), other.heard);
  }

  @Test
  void shouldHaveTheOneThatTookOverProfileItself() {
    keeper.start();
    one.says(BrokerSupervisor.PLAN + " 3 optimal");
    other.says(BrokerSupervisor.STANDBY);
    one.ends();
    assertFalse(keeper.profile(ORDER), "nobody has taken over yet");
    assertFalse(keeper.status().ready(), "the plan is that of one that has ended");
    other.says(BrokerSupervisor.PLAN + " 4 last-good");

    assertTrue(keeper.profile(ORDER));

    assertEquals(List.of(), one.heard);
    assertEquals(List.of(ORDER.line()), other.heard);
  }

  @Test
  void shouldTellNobodyWhenNoneDecides() {
    assertFalse(keeper.profile(ORDER), "none was started");
    keeper.start();
    one.says(BrokerSupervisor.STANDBY);
    other.says(BrokerSupervisor.PLAN + " 3 optimal");
    other.ends();

    assertFalse(keeper.profile(ORDER), "only one is left, which stands by");

    assertEquals(List.of(), one.heard);
    assertEquals(-1, keeper.status().pid());
  }

  /** Sends and does what the test orders. */
  private static final class FakeChild implements ReplicaStarter.Child {
    private final long pid;
    private final List<String> heard = new ArrayList<>();
    private ReplicaStarter.ProcessListener processListener =
        ReplicaStarter.ProcessListener.of(_ -> {}, _ -> {});

    FakeChild(long pid) {
      this.pid = pid;
    }

    ReplicaStarter.Child start(ReplicaStarter.ProcessListener keeper) {
      processListener = keeper;
      return this;
    }

    void says(String line) {
      processListener.onLine(line);
    }

    void ends() {
      processListener.onExit(1);
    }

    @Override
    public void send(String line) {
      if (line.equals(ReplicaProtocol.DRAIN)) {
        processListener.onExit(0);
      } else {
        heard.add(line);
      }
    }

    @Override
    public void kill() {
      processListener.onExit(137);
    }

    @Override
    public long pid() {
      return pid;
    }

    @Override
    public List<String> lastLines() {
      return List.of();
    }
  }
}
