package dev.pinion.bootstrap.cli.broker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.RestClient;

/** Responses of the broker for commands. */
final class BrokerResponses {
  private BrokerResponses() {}

  /** Body of a response. */
  static JsonNode check(RestClient.Response answer) throws CommandException {
    if (answer.ok()) {
      return answer.body();
    }
    int status =
        switch (answer.status()) {
          case 400, 404, 422 -> ExitStatus.DATA;
          case 503 -> ExitStatus.UNAVAILABLE;
          default -> ExitStatus.FAILURE;
        };
    StringBuilder text = new StringBuilder(RestClient.problem(answer));
    answer
        .body()
        .path("errors")
        .forEach(
            each ->
                text.append("\n")
                    .append(each.path("pointer").asText())
                    .append(": ")
                    .append(each.path("detail").asText()));
    if (answer.body().path("offer").has("rate")) {
      text.append("; possible rate: ")
          .append(answer.body().path("offer").path("rate"))
          .append("/s");
    }
    throw new CommandException(status, text.toString());
  }
}
