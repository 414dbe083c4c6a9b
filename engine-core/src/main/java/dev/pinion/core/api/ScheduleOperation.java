package dev.pinion.core.api;

import dev.pinion.core.api.instance.InstanceProblems;
import dev.pinion.core.api.json.ScheduleJson;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.DefinitionName;

/** One request of a client to show, pause or resume a schedule. */
final class ScheduleOperation extends KernelRequest<Reply.ScheduleReply> {
  private final DefinitionName name;

  ScheduleOperation(HttpExchange httpExchange, RequestContext context, DefinitionName name) {
    super(httpExchange, context);
    this.name = name;
  }

  /** Asks the kernel that keeps the schedule. */
  void show() throws ProblemException {
    await(0);
    require(context().kernels().offer(new Query.GetSchedule(name, replyTo())));
  }

  /** Pauses the schedule, or resumes it. */
  void control(boolean pause) throws ProblemException {
    await(0);
    require(context().kernels().offer(new Command.ControlSchedule(name, pause, replyTo())));
  }

  private static void require(boolean taken) throws ProblemException {
    if (!taken) {
      throw new ProblemException(Problem.overload("kernel.inboxCapacity"));
    }
  }

  @Override
  void onReply(Reply.ScheduleReply reply) throws ProblemException {
    switch (reply) {
      case Reply.ScheduleFound found ->
          exchange()
              .respond(
                  Response.of(
                      200,
                      MediaTypes.JSON,
                      context().json().bytes(ScheduleJson.of(found.schedule()))));
      case Reply.NoSchedule _ -> throw notFound(name);
      case Reply.NotOwner _ -> throw InstanceProblems.partitionMigrating();
    }
  }

  /** The problem of a definition without a schedule. */
  static ProblemException notFound(DefinitionName name) {
    return new ProblemException(
        ProblemType.NOT_FOUND,
        "expected a definition whose newest enabled version has a schedule, found "
            + Problem.quoted(name.toString()));
  }
}
