package dev.pinion.core.invoker.authentication;

import dev.pinion.core.invoker.ProgramCaller;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.model.call.ProgramRun;
import dev.pinion.core.model.call.ProgramSecrets;
import java.util.concurrent.Executor;

/**
 * Runs programs that need secrets, by adding these and passing the run on; other runs pass
 * untouched.
 *
 * @param programs begins the programs, on the same event loop
 * @param credentials shared by all Invokers
 * @param loop runs tasks on the event loop
 */
public record SecretProgramCaller(
    ProgramCaller programs, CallCredentials credentials, Executor loop) implements ProgramCaller {
  @Override
  public ServiceCaller.OngoingCall run(ProgramRun run, ServiceCaller.CallListener callListener) {
    ProgramSecrets secrets = run.secrets();
    if (secrets == null) {
      return programs.run(run, callListener);
    }
    SecretRun secretRun = new SecretRun(this, run, secrets, callListener);
    secretRun.begin();
    return secretRun;
  }
}
