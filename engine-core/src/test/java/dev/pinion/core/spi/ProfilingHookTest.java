package dev.pinion.core.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.spi.ProfilingHook.Component;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProfilingHookTest {
  private static final DefinitionKey DEFINITION = new DefinitionKey("default", "busy", "1.0.0");

  private final List<String> heard = new ArrayList<>();

  @AfterEach
  void hearNoMore() {
    ProfilingHook.detach();
  }

  @Test
  void shouldTellOfWorkThatALookFellIntoOnly() {
    hear();

    int first = ProfilingHook.samples();
    ProfilingHook.record(first, Component.KERNEL, DEFINITION, "/do/0/short", "gold");
    int second = ProfilingHook.samples();
    ProfilingHook.tick();
    ProfilingHook.record(second, Component.KERNEL, DEFINITION, "/do/1/caught", "gold");
    int third = ProfilingHook.samples();
    ProfilingHook.tick();
    ProfilingHook.tick();
    ProfilingHook.record(third, Component.EVALUATOR, DEFINITION, "/do/2/long", null);

    assertEquals(List.of("KERNEL /do/1/caught gold 1", "EVALUATOR /do/2/long  2"), heard);
  }

  @Test
  void shouldTellOfHandlersByTheirStep() {
    hear();

    int look = ProfilingHook.samples();
    ProfilingHook.tick();
    ProfilingHook.recordHandler(look, "", "tenant", "gold");

    assertEquals(List.of("HANDLERS [handler tenant] gold 1"), heard);
  }

  @Test
  void shouldTellNobodyOnceNobodyHears() {
    hear();
    int look = ProfilingHook.samples();
    ProfilingHook.tick();
    ProfilingHook.detach();

    ProfilingHook.record(look, Component.INVOKER, DEFINITION, "/do/0/call", "gold");

    assertEquals(List.of(), heard);
  }

  @Test
  void shouldHearOfWorkInProportionToItsTime() {
    // given work of one and of nine units of time in turn, and a sample every seven units
    hear();
    int time = 0;
    for (int round = 0; round < 700; round++) {
      time = work(time, 1, "/short");
      time = work(time, 9, "/long");
    }

    // then
    assertEquals(0.9, (double) looks("/long") / (looks("/long") + looks("/short")), 0.01);
  }

  private int looks(String task) {
    return heard.stream()
        .filter(each -> each.contains(task))
        .mapToInt(each -> Integer.parseInt(each.substring(each.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static int work(int from, int units, String task) {
    int look = ProfilingHook.samples();
    for (int time = from; time < from + units; time++) {
      if (time % 7 == 0) {
        ProfilingHook.tick();
      }
    }
    ProfilingHook.record(look, Component.KERNEL, DEFINITION, task, "gold");
    return from + units;
  }

  private void hear() {
    ProfilingHook.attach(
        (component, definition, task, serviceClass, looks) ->
            heard.add(component + " " + task + " " + serviceClass + " " + looks));
  }
}
