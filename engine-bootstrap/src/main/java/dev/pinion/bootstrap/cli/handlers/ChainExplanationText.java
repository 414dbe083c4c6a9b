package dev.pinion.bootstrap.cli.handlers;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.handlers.ChainExplanation;
import dev.pinion.handlers.remote.PlacementDecision;
import dev.pinion.handlers.run.ChainPrediction;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Explanations of chains as text and as JSON. */
final class ChainExplanationText {
  private static final double MICRO = 1_000;

  private final int messages;

  /**
   * Prints explanations.
   *
   * @param messages number of successive messages in the prediction
   */
  ChainExplanationText(int messages) {
    this.messages = messages;
  }

  void print(
      PrintWriter out, ChainExplanation chain, List<HandlerPlacementTrial.TrialResult> places) {
    out.println("chain " + chain.plan().name());
    chain.why().forEach(line -> out.println("  " + line));
    out.println();
    List<List<String>> steps =
        new ArrayList<>(List.of(List.of("HANDLER", "KIND", "US", "CALLS", "FAILED")));
    for (ChainExplanation.StepTiming step : chain.steps()) {
      steps.add(
          List.of(
              step.name(),
              step.use(),
              step.calls() == 0 ? "not tried" : micros(step.nanos()),
              "" + step.calls(),
              "" + step.failures()));
    }
    CommandOutput.table(out, steps);
    out.println();
    CommandOutput.table(
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

  private static void places(PrintWriter out, List<HandlerPlacementTrial.TrialResult> places) {
    List<List<String>> rows = new ArrayList<>(List.of(List.of("HANDLER", "PLACE", "BETTER")));
    for (HandlerPlacementTrial.TrialResult each : places) {
      rows.add(List.of(each.step(), each.auto() ? "auto" : "remote", each.text()));
    }
    CommandOutput.table(out, rows);
    out.println();
  }

  private List<String> row(String label, ChainPrediction chainPrediction) {
    return row(label, chainPrediction.parallelNanos(), chainPrediction.pipelinedNanos(messages));
  }

  private static List<String> row(String label, double one, double many) {
    return List.of(label, micros(one), micros(many));
  }

  private static String recommendation(ChainExplanation chain) {
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

  void json(
      ObjectNode node, ChainExplanation chain, List<HandlerPlacementTrial.TrialResult> places) {
    node.put("chain", chain.plan().name());
    chain.why().forEach(node.putArray("plan")::add);
    ArrayNode steps = node.putArray("handlers");
    for (ChainExplanation.StepTiming step : chain.steps()) {
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
    for (HandlerPlacementTrial.TrialResult each : places) {
      ObjectNode place = tried.addObject().put("name", each.step());
      place.put("place", each.auto() ? "auto" : "remote").put("reason", each.text());
      PlacementDecision decision = each.decision();
      if (decision != null) {
        place.set("measured", CommandOutput.JSON.valueToTree(decision));
      }
    }
  }

  private static void names(ArrayNode array, List<String> names) {
    names.forEach(array::add);
  }

  private void prediction(ObjectNode node, ChainPrediction chainPrediction) {
    node.put("oneMessageNanos", chainPrediction.parallelNanos());
    node.put("messages", messages).put("pipelinedNanos", chainPrediction.pipelinedNanos(messages));
    chainPrediction.stageNanos().forEach(node.putArray("stageNanos")::add);
  }

  private static String micros(double nanos) {
    return String.format(Locale.ROOT, "%.1f", nanos / MICRO);
  }
}
