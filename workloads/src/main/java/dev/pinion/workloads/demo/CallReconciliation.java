package dev.pinion.workloads.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.workloads.stub.StubStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The expected calls against those that the stub counted.
 *
 * @param expected calls of each service, by name
 * @param found the stub's counts
 */
record CallReconciliation(Map<String, Long> expected, StubStatistics found) {
  /** The account of these instances. */
  static CallReconciliation of(List<InstanceResult> runs, StubStatistics found) {
    Map<String, Long> expected = new TreeMap<>();
    for (InstanceResult run : runs) {
      run.workload()
          .expectedCalls(run.input())
          .forEach((service, calls) -> expected.merge(service, calls, Long::sum));
    }
    return new CallReconciliation(expected, found);
  }

  long expectedTotal() {
    return expected.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Differences, a sentence each; empty if there are none. */
  List<String> discrepancies() {
    List<String> sentences = new ArrayList<>();
    TreeSet<String> services = new TreeSet<>(expected.keySet());
    services.addAll(found.services().keySet());
    for (String service : services) {
      long should = expected.getOrDefault(service, 0L);
      long did = found.services().getOrDefault(service, 0L);
      if (should != did) {
        sentences.add("expected " + should + " calls of " + service + ", found " + did);
      }
    }
    if (expectedTotal() != found.total()) {
      sentences.add("expected " + expectedTotal() + " calls in total, found " + found.total());
    }
    if (found.malformed() != 0) {
      sentences.add("expected no malformed request, found " + found.malformed());
    }
    if (found.failed() != 0) {
      sentences.add("expected no failed call, found " + found.failed());
    }
    return sentences;
  }

  boolean balances() {
    return discrepancies().isEmpty();
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("expected", expectedTotal()).put("found", found.total());
    ObjectNode services = json.putObject("services");
    found.services().forEach(services::put);
    json.put("malformed", found.malformed()).put("balances", balances());
    discrepancies().forEach(json.putArray("discrepancies")::add);
    return json;
  }
}
