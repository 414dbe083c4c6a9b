package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.InstanceId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls of abstract services, {@code svc://name/path}. */
class ServiceBinderTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  @BeforeEach
  void bind() {
    harness.journal.withoutComparison(); // a replay has no bindings
    harness.bind(Map.of("flights", "http://airline:8080/v2"));
  }

  @ParameterizedTest
  @CsvSource({
    "svc://flights/search?to=x, http://airline:8080/v2/search?to=x",
    "svc://flights, http://airline:8080/v2",
    "svc://flights?a=b, http://airline:8080/v2?a=b",
    "http://flights/search, http://flights/search"
  })
  void shouldCallWhatTheServiceIsBoundTo(String uri, String expected) {
    harness.start(graph(call("c", uri)));

    assertEquals(expected, HttpCalls.of(harness.calls.get(0)).uri());
  }

  @Test
  void shouldBindAtTheTimeOfEachCall() {
    InstanceId id =
        harness.start(graph(call("a", "svc://flights/a"), call("b", "svc://flights/b")));
    harness.bind(Map.of("flights", "https://other"));
    harness.answer("a", json("1"));

    assertEquals("https://other/b", HttpCalls.of(harness.calls.get(0)).uri());
    harness.answer("b", json("2"));
    assertEquals(json("2"), harness.output(id));
  }

  @Test
  void shouldFailACallOfAServiceThatIsNotBound() {
    InstanceId id = harness.start(graph(call("c", "svc://hotels/search")));

    assertEquals(ErrorType.CONFIGURATION.uri(), harness.error(id).type());
    assertEquals("/do/0/c", harness.error(id).instance());
    assertTrue(Objects.requireNonNull(harness.error(id).detail()).contains("\"hotels\""));
    assertEquals(0, harness.kernel().router().calls().used());
  }

  @Test
  void shouldRecordThatAServiceWasNotBound() {
    harness.start(
        graph(attempt("t", handler().run(set("h", 1)), call("c", "svc://hotels/search"))));

    // a replay under another table must not decide otherwise
    assertEquals(2, harness.journal.entries().size());
  }

  @Test
  void shouldCatchThatAServiceIsNotBound() {
    InstanceId id =
        harness.start(graph(attempt("t", handler().run(set("h", 1)), call("c", "svc://hotels"))));

    assertEquals(json("1"), harness.output(id));
  }

  @Test
  void shouldTellOfEachRequestWhetherItCallsAnybodyOrNot() {
    harness.start(graph(set("s", 1)));
    assertEquals(
        List.of("begun", "ended true"), harness.heard, "its class is promised a mean of all");
    harness.heard.clear();

    harness.start(graph(call("a", "svc://flights/a"), call("b", "svc://flights/b")));
    harness.answer("a", json("1"));
    harness.answer("b", json("1"));
    assertEquals(
        List.of("begun", "invoked flights", "invoked flights", "ended true"), harness.heard);
  }

  @Test
  void shouldTellOfARequestThatBeganBeforeServicesWereBoundWhenItCallsOne() {
    harness.bind(BindingTable.EMPTY);
    harness.start(graph(call("a", "http://plain/a"), call("b", "svc://flights/b")));
    assertEquals(List.of(), harness.heard, "nothing is bound, nothing is called");

    harness.bind(Map.of("flights", "http://airline:8080/v2"));
    harness.answer("a", json("1"));
    assertEquals(List.of("begun", "invoked flights"), harness.heard);
    harness.answer("b", json("1"));
    assertEquals(List.of("begun", "invoked flights", "ended true"), harness.heard);
  }
}
