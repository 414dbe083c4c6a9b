package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.handlers.Explanation;
import dev.pinion.handlers.remote.PlaceDecision;
import dev.pinion.handlers.run.Prediction;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Explanations of chains as text and as JSON. */
final class ExplanationText {
  private static final double MICRO = 1_000;

  private final int messages;

  /**
   * Prints explanations.
   *
   * @param messages number of successive messages in the prediction
   */
  ExplanationText(int messages) {
    this.messages = messages;
  }

  void print(PrintWriter out, Explanation chain, List<TriedPlaces.Tried> places) {
    out.println("chain " + chain.plan().name());
    chain.why().forEach(line -> out.println("  " + line));
    out.println();
    List<List<String>> steps =
        new ArrayList<>(List.of(List.of("HANDLER", "KIND", "US", "CALLS", "FAILED")));
    for (Explanation.StepTime step : chain.steps()) {
      steps.add(
          List.of(
              step.name(),
              step.use(),
              step.calls() == 0 ? "not tried" : micros(step.nanos()),
              "" + step.calls(),
              "" + step.failures()));
    }
    Output.table(out, steps);
    out.println();
    Output.table(
        out,
        List.of(
            List.of("PREDICTED (US)", "ONE MESSAGE", messages + " PIPELINED"),
            row(
                "one after another",
                chain.given().sequentialNanos(),
                messages * chain.given().sequentialNanos()),
            row("as it is", chain.given()),
            row("order: auto", chain.best())));
    out.println();
    out.println(
        "a hand-over costs "
            + micros((double) chain.handOverNanos())
            + " us; "
            + chain.workers()
            + " workers");
    if (chain.serviceNanos() > 0) {
      out.println(
          "the service takes " + micros(chain.serviceNanos()) + " us, as a stage of its own");
    }
    out.println(recommendation(chain));
    out.println();
    if (!places.isEmpty()) {
      places(out, places);
    }
    out.flush();
  }

  private static void places(PrintWriter out, List<TriedPlaces.Tried> places) {
    List<List<String>> rows = new ArrayList<>(List.of(List.of("HANDLER", "PLACE", "BETTER")));
    for (TriedPlaces.Tried each : places) {
      rows.add(List.of(each.step(), each.auto() ? "auto" : "remote", each.text()));
    }
    Output.table(out, rows);
    out.println();
  }

  private List<String> row(String label, Prediction prediction) {
    return row(label, prediction.parallelNanos(), prediction.pipelinedNanos(messages));
  }

  private static List<String> row(String label, double one, double many) {
    return List.of(label, micros(one), micros(many));
  }

  private static String recommendation(Explanation chain) {
    if (chain.sequentialIsBest()) {
      return "recommended: one after another; nothing here pays for a hand-over";
    }
    String stages =
        chain.layout().stream()
            .map(
                stage ->
                    stage.stream()
                        .map(bin -> String.join(", ", bin))
                        .collect(Collectors.joining(" | ")))
            .collect(Collectors.joining(" -> "));
    return String.format(
        Locale.ROOT, "recommended: %s; %.2f times faster", stages, chain.best().speedUp());
  }

  void json(ObjectNode node, Explanation chain, List<TriedPlaces.Tried> places) {
    node.put("chain", chain.plan().name());
    chain.why().forEach(node.putArray("plan")::add);
    ArrayNode steps = node.putArray("handlers");
    for (Explanation.StepTime step : chain.steps()) {
      steps
          .addObject()
          .put("name", step.name())
          .put("use", step.use())
          .put("nanos", step.nanos())
          .put("calls", step.calls())
          .put("failures", step.failures());
    }
    node.put("handOverNanos", chain.handOverNanos()).put("workers", chain.workers());
    node.put("serviceNanos", chain.serviceNanos());
    node.put("sequentialNanos", chain.given().sequentialNanos());
    prediction(node.putObject("asItIs"), chain.given());
    prediction(node.putObject("auto"), chain.best());
    ArrayNode layout = node.putArray("recommended");
    for (List<List<String>> stage : chain.layout()) {
      ArrayNode bins = layout.addArray();
      stage.forEach(bin -> names(bins.addArray(), bin));
    }
    node.put("sequentialIsBest", chain.sequentialIsBest());
    ArrayNode tried = node.putArray("places");
    for (TriedPlaces.Tried each : places) {
      ObjectNode place = tried.addObject().put("name", each.step());
      place.put("place", each.auto() ? "auto" : "remote").put("reason", each.text());
      PlaceDecision decision = each.decision();
      if (decision != null) {
        place.set("measured", Output.JSON.valueToTree(decision));
      }
    }
  }

  private static void names(ArrayNode array, List<String> names) {
    names.forEach(array::add);
  }

  private void prediction(ObjectNode node, Prediction prediction) {
    node.put("oneMessageNanos", prediction.parallelNanos());
    node.put("messages", messages).put("pipelinedNanos", prediction.pipelinedNanos(messages));
    prediction.stageNanos().forEach(node.putArray("stageNanos")::add);
  }

  private static String micros(double nanos) {
    return String.format(Locale.ROOT, "%.1f", nanos / MICRO);
  }
}
