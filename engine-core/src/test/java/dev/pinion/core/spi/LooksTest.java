package dev.pinion.core.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.spi.Looks.Worker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LooksTest {
  private static final DefinitionKey DEFINITION = new DefinitionKey("default", "busy", "1.0.0");

  private final List<String> heard = new ArrayList<>();

  @AfterEach
  void hearNoMore() {
    Looks.hearNoMore();
  }

  @Test
  void shouldTellOfWorkThatALookFellIntoOnly() {
    hear();

    int first = Looks.count();
    Looks.worked(first, Worker.KERNEL, DEFINITION, "/do/0/short", "gold");
    int second = Looks.count();
    Looks.look();
    Looks.worked(second, Worker.KERNEL, DEFINITION, "/do/1/caught", "gold");
    int third = Looks.count();
    Looks.look();
    Looks.look();
    Looks.worked(third, Worker.EVALUATOR, DEFINITION, "/do/2/long", null);

    assertEquals(List.of("KERNEL /do/1/caught gold 1", "EVALUATOR /do/2/long  2"), heard);
  }

  @Test
  void shouldTellOfHandlersByTheirStep() {
    hear();

    int look = Looks.count();
    Looks.look();
    Looks.handled(look, "", "tenant", "gold");

    assertEquals(List.of("HANDLERS [handler tenant] gold 1"), heard);
  }

  @Test
  void shouldTellNobodyOnceNobodyHears() {
    hear();
    int look = Looks.count();
    Looks.look();
    Looks.hearNoMore();

    Looks.worked(look, Worker.INVOKER, DEFINITION, "/do/0/call", "gold");

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
    int look = Looks.count();
    for (int time = from; time < from + units; time++) {
      if (time % 7 == 0) {
        Looks.look();
      }
    }
    Looks.worked(look, Worker.KERNEL, DEFINITION, task, "gold");
    return from + units;
  }

  private void hear() {
    Looks.hear(
        (worker, definition, task, serviceClass, looks) ->
            heard.add(worker + " " + task + " " + serviceClass + " " + looks));
  }
}
