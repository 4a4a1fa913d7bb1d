//! The model: a program of the user's choice, asked one question a process, or one behind the Messages API.

mod api;
mod error;
mod process;
mod setting;

pub use api::{Api, ApiError, ApiOptions, ModelTask, STALL, TURNS_MAX, judge_address};
pub use error::ModelError;
pub use setting::{ModelSettingError, check_setting, configured_model, describe_model};

use std::time::Duration;

/// Of an answer, so much is read; more is an error.
pub const ANSWER_BYTES_MAX: usize = 1024 * 1024;
/// Of what a failed program said on its standard error, the end that is quoted.
pub const COMPLAINT_BYTES_MAX: usize = 2 * 1024;

/// The variable in which the program finds what it is asked for; all that it starts has it too.
pub const TASK_VARIABLE: &str = "MEM_MODEL_TASK";

/// What a question is for; the program finds its name in [`TASK_VARIABLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelQuestion {
    /// Which memories matter for a prompt.
    Select,
    /// The notes of a session, rewritten.
    Session,
    /// The memories that a session suggests.
    Extract,
    /// What of logs and notes is worth a memory.
    Distill,
}

impl ModelQuestion {
    /// The word in [`TASK_VARIABLE`].
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Select => "select",
            Self::Session => "session",
            Self::Extract => "extract",
            Self::Distill => "distill",
        }
    }
}

/// Whoever is asked.
#[derive(Clone, Debug)]
pub enum Model {
    /// A program.
    Program(ModelProgram),
    /// One behind the Messages API.
    Api(Box<Api>),
}

/// The program and how long it may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelProgram {
    command: String,
    time_limit: Duration,
}

impl Model {
    /// A command line for the system's shell; `None` where it is empty, that is not set.
    pub fn new(command: &str, time_limit: Duration) -> Option<Self> {
        let command = command.trim();
        (!command.is_empty()).then(|| {
            Self::Program(ModelProgram {
                command: command.to_owned(),
                time_limit,
            })
        })
    }

    /// Asks it, and waits for the answer, white space around it removed.
    ///
    /// # Errors
    /// A program cannot be started, fails, takes too long, or answers with nothing, too much or no text;
    /// the API has no answer.
    pub fn ask_model(&self, task: ModelQuestion, prompt: &str) -> Result<String, ModelError> {
        match self {
            Self::Program(program) => program.ask_program(task, prompt),
            Self::Api(api) => Ok(api.ask_api(prompt)?),
        }
    }
}

impl ModelProgram {
    /// The program runs in a process group of its own, which is killed when it is late or says too
    /// much, and cleared away when it has answered: nothing stays behind.
    fn ask_program(&self, task: ModelQuestion, prompt: &str) -> Result<String, ModelError> {
        let answer = process::run(&self.command, task, prompt.as_bytes(), self.time_limit)?;
        let text = String::from_utf8(answer).map_err(|_| ModelError::NotText)?;
        let text = text.trim();
        if text.is_empty() {
            return Err(ModelError::Empty);
        }
        Ok(text.to_owned())
    }
}
